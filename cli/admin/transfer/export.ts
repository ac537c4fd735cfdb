import { randomUUID } from 'node:crypto'
import { LAST_USES } from '../../../gateway/api-keys/details.ts'
import { apiKeysView } from '../../../gateway/api-keys/view.ts'
import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import { type Parts, sequencesOf } from '../parts.ts'
import { item, progress, type Running } from '../running.ts'
import { EXPORTED_PARTS, FORMAT, type Header, toCommitLine } from './format.ts'
import { createLineWriter, type ExportedLines } from './line-writer.ts'

type ExportedPart = (typeof EXPORTED_PARTS)[number]

/** Commits, keys or dead letters in one step: so few that a service beside it hardly notices. */
const STEP = 250

/**
 * Everything that can't be made anew: every commit as it stands in its log, the numbers that sequences have come to,
 * when keys were last used, and dead letters. Views are folded from the logs, and the relay begins anew, as its events
 * are known where they came. What is written meanwhile is not in it.
 */
export async function* exportLog(parts: Parts, _input: object): Running<ExportedLines> {
  const writer = createLineWriter()
  const heads = await headsOf(parts)
  const header: Header = {
    mint: 'export',
    format: FORMAT,
    id: randomUUID(),
    at: new Date().toISOString(),
    events: heads,
  }
  yield item(writer.lines([JSON.stringify(header)], 0))
  for await (const line of deadLetterLines(parts)) yield item(writer.lines([line], 0))
  const total = Object.values(heads).reduce((sum, head) => sum + head, 0)
  for (const part of EXPORTED_PARTS) {
    for await (const { lines, events } of commitLines(parts, part, heads[part])) {
      yield item(writer.lines(lines, events))
      yield progress(`exporting ${part}`, writer.events(), total)
    }
    for (const category of sequencesOf[part]) {
      const last = await parts[part].inspection.lastNumber(category)
      yield item(writer.lines([JSON.stringify({ part, sequence: category, last })], 0))
    }
  }
  for await (const line of lastUseLines(parts)) yield item(writer.lines([line], 0))
  yield item(writer.end())
}

async function headsOf(parts: Parts): Promise<Record<ExportedPart, Position>> {
  const { contracts, businesses, gateway } = parts
  // In the order in which they are gone through: a client is never without its business.
  return {
    contracts: await contracts.inspection.head(),
    businesses: await businesses.inspection.head(),
    gateway: await gateway.inspection.head(),
  }
}

async function* commitLines(parts: Parts, part: ExportedPart, head: Position) {
  let reached: Position = BEGINNING
  while (reached < head) {
    const read = await parts[part].inspection.readCommits(reached, STEP)
    const commits = read.filter(({ position }) => position <= head)
    const last = commits.at(-1)
    if (!last) return
    const events = commits.reduce((sum, commit) => sum + commit.events.length, 0)
    yield { lines: commits.map((commit) => toCommitLine(part, commit)), events }
    reached = last.position
  }
}

async function* deadLetterLines({ deadLetters }: Parts): AsyncGenerator<string> {
  const count = await deadLetters.count()
  for (const deadLetter of await deadLetters.list(count)) yield JSON.stringify({ deadLetter })
}

async function* lastUseLines({ gateway }: Parts): AsyncGenerator<string> {
  let after: string | undefined
  for (;;) {
    const ids = await gateway.inspection.rowIds(apiKeysView, after, STEP)
    after = ids.at(-1)
    if (after === undefined) return
    const times = await gateway.latestTimes(LAST_USES).read(ids)
    if (times.size === 0) continue
    yield JSON.stringify({ part: 'gateway', latestTimes: LAST_USES, times: Object.fromEntries(times) })
  }
}
