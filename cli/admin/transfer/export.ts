import { createHash, randomUUID } from 'node:crypto'
import { lettersFrom } from '../../../services/contracts/client/dead-letters.ts'
import { ANSWERED, REPORTS } from '../../../services/contracts/report/report-clock.ts'
import { LAST_USES } from '../../../shared/api-keys/administration.ts'
import { apiKeysView } from '../../../shared/api-keys/view.ts'
import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import { WEBHOOKS } from '../../../shared/webhooks/view.ts'
import { DERIVED_FIRST, type PartName, type Parts, sequencesOf } from '../parts.ts'
import type { Report } from '../report.ts'
import { FORMAT, type Header, toCommitLine } from './format.ts'

/** Lines of an export, each ended by a line feed. */
interface ExportedLines {
  readonly text: string
  /** How many events there have been so far. */
  readonly events: number
}

/** Lines without line feeds, and how many events are in them. */
interface LineBatch {
  readonly lines: readonly string[]
  readonly events?: number
}

/** Commits, keys or dead letters per step: few enough not to delay a service that is running. */
const STEP = 250

/** How much to export. */
interface ExportInput {
  /** For a Mint to try things in: keys and numbers as of now, and no webhooks, which would report what is tried. */
  readonly isFork?: boolean
  /** In milliseconds since the epoch: of contracts and businesses, only what happened up to then. */
  readonly until?: number | undefined
}

/**
 * Exports everything that can't be derived: every commit as it is in its log, the last number of each sequence, when
 * keys were last used, and dead letters. Views are folded from the logs, and the relay starts over, because consumers
 * ignore events that they have seen. Later writes are not included.
 */
export async function* exportLog(parts: Parts, input: ExportInput, report: Report): AsyncGenerator<ExportedLines> {
  const events = { contracts: 0, businesses: 0, gateway: 0 }
  for (const part of DERIVED_FIRST) events[part] = await parts[part].inspection.head()
  const total = Object.values(events).reduce((sum, head) => sum + head, 0)
  const header: Header = { mint: 'export', format: FORMAT, id: randomUUID(), at: new Date().toISOString(), events }
  for await (const lines of withEnd(everything(parts, header, input))) {
    yield lines
    report('exporting', lines.events, total)
  }
}

/** The lines of the file, and a last one that lets a reader check that none is missing. */
export async function* withEnd(batches: AsyncIterable<LineBatch>): AsyncGenerator<ExportedLines> {
  const hash = createHash('sha256')
  let [count, total] = [0, 0]
  for await (const { lines, events = 0 } of batches) {
    const text = lines.map((line) => `${line}\n`).join('')
    hash.update(text)
    count += lines.length
    total += events
    yield { text, events: total }
  }
  yield { text: `${JSON.stringify({ end: { lines: count, sha256: hash.digest('hex') } })}\n`, events: total }
}

async function* everything(parts: Parts, header: Header, input: ExportInput): AsyncGenerator<LineBatch> {
  const { deadLetters } = parts.contracts
  yield { lines: [JSON.stringify(header)] }
  for await (const deadLetter of lettersFrom(deadLetters, { limit: await deadLetters.count() })) {
    if (isUpTo(input.until, deadLetter.at)) yield { lines: [JSON.stringify({ deadLetter })] }
  }
  for (const part of DERIVED_FIRST) {
    yield* commitLines(parts, part, header.events[part], (commit) => isExported(part, commit, input))
    for (const sequence of sequencesOf(part)) {
      const last = await parts[part].inspection.lastNumber(sequence)
      yield { lines: [JSON.stringify({ part, sequence, last })] }
    }
  }
  yield* lastUseLines(parts)
  // Reports about past moments must not change in the copy, either.
  const answered = await parts.contracts.latestTimes(REPORTS).read([ANSWERED])
  const times = Object.fromEntries(answered)
  yield { lines: [JSON.stringify({ part: 'contracts', latestTimes: REPORTS, times })] }
}

function isExported(part: PartName, { stream, metadata }: RecordedCommit, { isFork, until }: ExportInput): boolean {
  // A key that was revoked since must not work again, and webhooks must not report what is tried.
  if (part === 'gateway') return !isFork || stream.category !== WEBHOOKS.category
  return isUpTo(until, metadata.at)
}

const isUpTo = (until: number | undefined, at: number): boolean => until === undefined || at <= until

/**
 * The commits that are exported. Up to a moment these are the first ones of each stream, as its times never go back. In
 * the log others may lie between them, as processes' clocks differ: positions are renumbered, without gaps.
 */
async function* commitLines(
  parts: Parts,
  part: PartName,
  head: number,
  isExported: (commit: RecordedCommit) => boolean,
): AsyncGenerator<LineBatch> {
  let position: number = BEGINNING + 1
  for (let reached: number = BEGINNING; reached < head; ) {
    const read = await parts[part].inspection.readCommits(reached as Position, STEP)
    const due = read.filter(({ position }) => position <= head)
    const lines: string[] = []
    const begun = position
    for (const commit of due) {
      if (!isExported(commit)) continue
      lines.push(toCommitLine(part, { ...commit, position: position as Position }))
      position += commit.events.length
    }
    yield { lines, events: position - begun }
    reached = due.at(-1)?.position ?? head
  }
}

async function* lastUseLines({ gateway }: Parts): AsyncGenerator<LineBatch> {
  const page = { where: {}, search: '', limit: STEP, offset: 0, withoutTotal: true }
  for (let after: string | undefined; ; ) {
    const { rows } = await gateway.view(apiKeysView).list({ ...page, after })
    if (rows.length === 0) return
    after = rows.at(-1)?.id
    const times = await gateway.latestTimes(LAST_USES).read(rows.map(({ id }) => id))
    if (times.size === 0) continue
    const line = { part: 'gateway', latestTimes: LAST_USES, times: Object.fromEntries(times) }
    yield { lines: [JSON.stringify(line)] }
  }
}
