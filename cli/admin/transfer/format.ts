import { z } from 'zod'
import { ANSWERED, REPORTS } from '../../../services/contracts/report/report-clock.ts'
import { LAST_USES } from '../../../shared/api-keys/administration.ts'
import type { RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import { isTraceparent } from '../../../shared/runtime/tracing/tracing.ts'
import { lastNumber, moment, whyUnreadable } from '../log-shapes.ts'
import { DERIVED_FIRST, type PartName, sequencesOf } from '../parts.ts'

/** The export format that this version reads and writes. Raised when it changes; documented in docs/cli.md. */
export const FORMAT = 1

const part = z.enum(DERIVED_FIRST)
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
const commitLine = z
  .object({
    part,
    position: z.int().min(1),
    stream: z.object({ category: z.string(), id: z.string() }),
    version: z.int().min(1),
    commitId: z.string(),
    metadata: z.object({
      at: moment,
      by: z.string(),
      requestId: z.string(),
      requestHash: z.string().optional(),
      traceparent: z.string().refine(isTraceparent, 'is not a W3C traceparent').optional(),
    }),
    events: z.array(z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) })).min(1),
  })
  .superRefine(({ stream, version, events }, context) => {
    for (const [index, event] of events.entries()) {
      const why = whyUnreadable(stream, version + index, event)
      if (why === undefined) continue
      context.addIssue({
        code: 'custom',
        message: `${stream.category} ${stream.id}, version ${version + index}: ${why}`,
      })
    }
  })

/** The last number that a sequence has assigned. */
const sequenceLine = z
  .object({ part, sequence: z.string(), last: lastNumber })
  .refine((line) => sequencesOf(line.part).includes(line.sequence), {
    path: ['sequence'],
    error: 'is not one of this part',
  })

/** Times that are stored outside a log, by id. */
const timesLine = z.discriminatedUnion('latestTimes', [
  z.object({ part: z.literal('gateway'), latestTimes: z.literal(LAST_USES), times: z.record(z.string(), moment) }),
  z.object({
    part: z.literal('contracts'),
    latestTimes: z.literal(REPORTS),
    times: z.object({ [ANSWERED]: moment.optional() }),
  }),
])

const text = z.string()
const attributes = z
  .object({ ce_specversion: text, ce_id: text, ce_source: text, ce_type: text, ce_time: text })
  .catchall(text)
/** In the order that they came in, which is part of a message's identity. */
const headers = z.custom<z.output<typeof attributes>>((given) => attributes.safeParse(given).success)

/** A message that the contracts service could not understand, or that is not signed. */
const deadLetterLine = z.object({
  deadLetter: z.object({
    topic: text,
    message: z.object({ key: text, headers, value: text }),
    reason: text,
    at: moment,
    isCut: z.boolean().optional(),
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

/** Each kind of line between the first and the last, by the field that only this kind has. */
export const itemLines = {
  events: commitLine,
  sequence: sequenceLine,
  latestTimes: timesLine,
  deadLetter: deadLetterLine,
}

export type Header = z.output<typeof headerLine>
export type ExportedItem = z.output<(typeof itemLines)[keyof typeof itemLines]>

/** The line of a commit. */
export function toCommitLine(part: PartName, commit: RecordedCommit): string {
  const { position, stream, version, commitId, metadata, events } = commit
  return JSON.stringify({ part, position, stream, version, commitId, metadata, events })
}

/** The commit of a parsed line. */
export const toCommit = (item: z.output<typeof commitLine>): RecordedCommit => item as RecordedCommit & typeof item
