import { z } from 'zod'
import type { RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { PartName } from '../parts.ts'

/** The export format that this version reads and writes. Raised when it changes; documented in docs/cli.md. */
export const FORMAT = 1

/** The parts in export order: each comes before the one it was derived from, whose export is therefore never older. */
export const EXPORTED_PARTS = ['contracts', 'businesses', 'gateway'] as const satisfies readonly PartName[]
export type ExportedPart = (typeof EXPORTED_PARTS)[number]

const part = z.enum(EXPORTED_PARTS)
const count = z.int().min(0)

/** The first line. */
export const headerLine = z.object({
  mint: z.literal('export'),
  format: z.int(),
  /** Identifies this export. */
  id: z.uuid(),
  /** When it was made, RFC 3339. */
  at: z.string(),
  /** The number of events of each part. */
  events: z.record(part, count),
})

/** A commit of a log; `events` are plain JSON. */
const commitLine = z.object({
  part,
  position: z.int().min(1),
  stream: z.object({ category: z.string(), id: z.string() }),
  version: z.int().min(1),
  commitId: z.string(),
  metadata: z.object({ at: z.int(), by: z.string(), requestId: z.string(), requestHash: z.string().optional() }),
  events: z.array(z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) })).min(1),
})

/** The last number that a sequence has assigned. */
const sequenceLine = z.object({ part, sequence: z.string(), last: count })

/** Times that are stored beside a log, by id. */
const timesLine = z.object({ part, latestTimes: z.string(), times: z.record(z.string(), z.int()) })

const text = z.string()
const headers = z.object({ ce_specversion: text, ce_id: text, ce_source: text, ce_type: text, ce_time: text })

/** A message that the contracts service could not understand or confirm. */
const deadLetterLine = z.object({
  deadLetter: z.object({
    topic: text,
    message: z.object({ key: text, headers, value: text }),
    reason: text,
    at: z.int(),
  }),
})

/** The last line: without it, the file is truncated. */
export const endLine = z.object({
  end: z.object({
    /** The number of lines before this one, including the header. */
    lines: count,
    /** Of all those lines with their line feeds, in hexadecimal. */
    sha256: z.string(),
  }),
})

export const itemLine = z.union([commitLine, sequenceLine, timesLine, deadLetterLine])

export type Header = z.output<typeof headerLine>
export type ExportedItem = z.output<typeof itemLine>

/** The line of a commit. */
export function toCommitLine(part: PartName, commit: RecordedCommit): string {
  const { position, stream, version, commitId, metadata, events } = commit
  return JSON.stringify({ part, position, stream, version, commitId, metadata, events })
}

/** The commit of a parsed line. */
export const toCommit = (item: z.output<typeof commitLine>): RecordedCommit => item as RecordedCommit & typeof item
