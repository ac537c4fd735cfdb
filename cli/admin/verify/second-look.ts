import { setTimeout as pause } from 'node:timers/promises'
import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { Inspection, RecordedCommit, RowComparison } from '../../../shared/event-sourcing/ports/inspection.ts'
import { readAhead } from '../../../shared/event-sourcing/read-ahead.ts'
import type { CheckedView, FirstLook, VerifyOptions } from './first-look.ts'
import { foldStreams } from './folded-streams.ts'

/** Commits read in one step. */
const STEP = 1_000

/** All commits after a position, in order, until there are no more. */
export function wholeLog(inspection: Inspection, after?: Position): AsyncGenerator<readonly RecordedCommit[]> {
  const readAfter = (position: Position) => inspection.readCommits(position, STEP)
  return readAhead({ readAfter, positionOf: ({ position }) => position }, after)
}

/** How often, and after which pause in milliseconds, rows are looked at: one may lag behind a writer. */
const LOOKS = 5
const PAUSE = 100

/** Folds the suspects anew from the log's beginning, and reports what is wrong with those that are not as they should be. */
export async function lookAgain(options: VerifyOptions, look: FirstLook): Promise<void> {
  const { inspection, rules, findings } = options
  const { suspectCommits } = look
  const views = new Map(
    [...look.views].map(([category, { view, suspects }]): [string, CheckedView] => {
      return [category, { view, suspects, streams: foldStreams(view, rules[category], findings) }]
    }),
  )
  if (suspectCommits.size === 0 && [...views.values()].every(({ suspects }) => suspects.size === 0)) return
  const timesInLog = new Map<string, number>()
  let reached: Position = BEGINNING

  function take(commit: RecordedCommit): void {
    const { position, stream, commitId } = commit
    reached = position
    if (suspectCommits.has(commitId)) timesInLog.set(commitId, (timesInLog.get(commitId) ?? 0) + 1)
    const checked = views.get(stream.category)
    if (checked?.suspects.has(stream.id)) checked.streams.take(commit)
  }

  for (let left = LOOKS; left > 0; left--) {
    for await (const commits of wholeLog(inspection, reached)) for (const commit of commits) take(commit)
    const wrong = (await Promise.all([...views.values()].map((view) => findWrongRows(options, view)))).flat()
    if (wrong.length === 0) break
    if (left > 1) await pause(PAUSE)
    else for (const { where, message } of wrong) findings.add('view', where, message)
  }
  for (const [commitId, times] of timesInLog) {
    if (times > 1) findings.add('commit-id', `commit ${commitId}`, `it stands in the log ${times} times`)
  }
}

async function findWrongRows({ inspection }: VerifyOptions, { view, streams, suspects }: CheckedView) {
  const { rows, unreadable } = streams
  const folded = [...rows.values()].filter(({ id }) => !unreadable.has(id))
  const comparisons = await inspection.compareRows(view, folded)
  const unlike = folded.map(({ id }, index) => ({ id, message: IN_WORDS[comparisons[index] ?? 'missing'] }))
  const stray = [...suspects].filter((id) => !rows.has(id) && !unreadable.has(id))
  return [...unlike, ...stray.map((id) => ({ id, message: 'the log knows nothing of it' }))].flatMap(
    ({ id, message }) => (message === undefined ? [] : [{ where: `view ${view.name}, row ${id}`, message }]),
  )
}

const IN_WORDS: Readonly<Record<RowComparison, string | undefined>> = {
  equal: undefined,
  newer: 'it stands at a later version than the log',
  older: 'it stands at an earlier version than the log',
  different: 'it is not what the log folds to',
  missing: 'it is missing',
}
