import assert from 'node:assert/strict'
import { BEGINNING, type LogEvent } from '../../shared/event-sourcing/event.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { assertWhole, wholeLog } from './jobs.ts'

/**
 * Reads the log and asserts that it is gapless, no version occurs twice, every acknowledged commit is in it exactly
 * once, and no refused one is.
 */
export async function assertLogIsWhole(
  database: Database,
  acknowledged: readonly string[],
  refused: readonly string[] = [],
): Promise<LogEvent[]> {
  const log = await wholeLog(database)
  assertWhole(log, log.length)
  const times = Map.groupBy(await commitIds(database), (id) => id)
  const missing = acknowledged.filter((id) => times.get(id)?.length !== 1)
  assert.deepEqual(missing, [], 'acknowledged commits that are not in the log exactly once')
  const unexpected = refused.filter((id) => times.has(id))
  assert.deepEqual(unexpected, [], 'commits that were said not to be written')
  return log
}

/** The ids of the log's commits, in order. */
async function commitIds({ inspection }: Database): Promise<string[]> {
  const ids: string[] = []
  for (let after = BEGINNING; ; ) {
    const commits = await inspection.readCommits(after, 1000)
    const last = commits.at(-1)
    if (!last) return ids
    ids.push(...commits.map(({ commitId }) => commitId))
    after = last.position
  }
}
