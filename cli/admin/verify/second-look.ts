import { setTimeout as pause } from 'node:timers/promises'
import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { Inspection, RowComparison } from '../../../shared/event-sourcing/ports/inspection.ts'
import { type CheckedView, type FirstLook, type VerifyOptions, wholeLog } from './first-look.ts'
import { foldStreams } from './folded-streams.ts'

/** How often rows are checked, and the pause between checks in milliseconds: a row may lag behind a writer. */
const CHECKS = 5
const PAUSE = 100

/** Refolds suspect streams from the log's beginning, and reports those whose rows still differ. */
export async function checkSuspects({ inspection, rules, findings }: VerifyOptions, scan: FirstLook): Promise<void> {
  const { suspectCommits } = scan
  const views = new Map<string, CheckedView>()
  for (const [category, checked] of scan.views) {
    if (checked.suspects.size === 0) continue
    views.set(category, { ...checked, streams: foldStreams({ view: checked.view, rule: rules[category], findings }) })
  }
  if (suspectCommits.size === 0 && views.size === 0) return
  const timesInLog = new Map<string, number>()
  let reached: Position = BEGINNING
  for (let left = CHECKS; left > 0; left--) {
    for await (const commits of wholeLog(inspection, reached)) {
      for (const commit of commits) {
        const { position, stream, commitId } = commit
        reached = position
        if (suspectCommits.has(commitId)) timesInLog.set(commitId, (timesInLog.get(commitId) ?? 0) + 1)
        const checked = views.get(stream.category)
        if (checked?.suspects.has(stream.id)) checked.streams.take(commit)
      }
    }
    const wrong = (await Promise.all([...views.values()].map((view) => findWrongRows(inspection, view)))).flat()
    if (wrong.length === 0) break
    if (left > 1) await pause(PAUSE)
    else for (const [where, message] of wrong) findings.add('view', where, message)
  }
  for (const [commitId, times] of timesInLog) {
    if (times > 1) findings.add('commit-id', `commit ${commitId}`, `it is in the log ${times} times`)
  }
}

/** Pairs of where and message. */
async function findWrongRows(inspection: Inspection, { view, streams, suspects }: CheckedView) {
  const { rows, unreadable } = streams
  const readable = [...suspects].filter((id) => !unreadable.has(id))
  const folded = readable.flatMap((id) => rows.get(id) ?? [])
  const comparisons = await inspection.compareRows(view, folded)
  const inWords = new Map(folded.map(({ id }, index) => [id, IN_WORDS[comparisons[index] ?? 'missing']]))
  return readable.flatMap((id): (readonly [string, string])[] => {
    const message = inWords.has(id) ? inWords.get(id) : 'it is not in the log'
    return message === undefined ? [] : [[`view ${view.name}, row ${id}`, message]]
  })
}

const IN_WORDS: Readonly<Record<RowComparison, string | undefined>> = {
  equal: undefined,
  newer: 'it is at a later version than the log',
  older: 'it is at an earlier version than the log',
  different: 'it differs from what the log folds to',
  missing: 'it is missing',
}
