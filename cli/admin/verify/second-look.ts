import { setTimeout as pause } from 'node:timers/promises'
import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { Inspection, RecordedCommit, RowComparison } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { Difference } from './findings.ts'
import { type CheckedView, type FirstLook, type VerifyOptions, wholeLog } from './first-look.ts'
import { type FoldedStreams, foldStreams } from './folded-streams.ts'
import { createVersionCheck, type VersionCheck } from './version-check.ts'

/** How often rows are checked, and the pause between checks in milliseconds: a row may lag behind a writer. */
const CHECKS = 5
const PAUSE = 100

/** A view of which something is suspect. */
interface SuspectView extends Pick<CheckedView, 'view' | 'suspects'> {
  readonly streams: FoldedStreams
  readonly versions: VersionCheck
}

type Wrong = Omit<Difference, 'part'>

/** Refolds suspect streams from the log's beginning, and reports those whose rows or versions still differ. */
export async function checkSuspects(options: VerifyOptions, scan: FirstLook): Promise<void> {
  const { inspection, findings } = options
  const { suspectCommits } = scan
  const views = suspectViews(options, scan)
  if (suspectCommits.size === 0 && views.size === 0) return
  const timesInLog = new Map<string, number>()
  let reached: Position = BEGINNING

  function take(commit: RecordedCommit): void {
    const { position, stream, commitId } = commit
    reached = position
    if (suspectCommits.has(commitId)) timesInLog.set(commitId, (timesInLog.get(commitId) ?? 0) + 1)
    const view = views.get(stream.category)
    if (view?.suspects.has(stream.id) || view?.versions.isSuspect(stream.id)) view.streams.take(commit)
  }

  async function readOn(): Promise<void> {
    for await (const commits of wholeLog(inspection, reached)) for (const commit of commits) take(commit)
  }

  for (let left = CHECKS; left > 0; left--) {
    await readOn()
    const wrong: Wrong[] = []
    for (const view of views.values()) {
      wrong.push(...(await findWrongRows(inspection, view)))
      wrong.push(...(await view.versions.findWrong(options, { unreadable: view.streams.unreadable, readOn })))
    }
    if (wrong.length === 0) break
    if (left > 1) await pause(PAUSE)
    else for (const { kind, where, message } of wrong) findings.add(kind, where, message)
  }
  for (const [commitId, times] of timesInLog) {
    if (times > 1) findings.add('commit-id', `commit ${commitId}`, `it is in the log ${times} times`)
  }
}

/** By category. */
function suspectViews({ rules, findings }: VerifyOptions, scan: FirstLook): ReadonlyMap<string, SuspectView> {
  const views = new Map<string, SuspectView>()
  for (const [category, { view, suspects, suspectSlots }] of scan.views) {
    if (suspects.size === 0 && suspectSlots.size === 0) continue
    const versions = createVersionCheck(view, suspectSlots)
    const streams = foldStreams({ view, rule: rules[category], findings, onVersion: versions.expect })
    views.set(category, { view, suspects, streams, versions })
  }
  return views
}

async function findWrongRows(inspection: Inspection, { view, streams, suspects }: SuspectView): Promise<Wrong[]> {
  const { rows, unreadable } = streams
  const readable = [...suspects].filter((id) => !unreadable.has(id))
  const folded = readable.flatMap((id) => rows.get(id) ?? [])
  const comparisons = await inspection.compareRows(view, folded)
  const inWords = new Map(folded.map(({ id }, index) => [id, IN_WORDS[comparisons[index] ?? 'missing']]))
  return readable.flatMap((id): Wrong[] => {
    const message = inWords.has(id) ? inWords.get(id) : 'it is not in the log'
    return message === undefined ? [] : [{ kind: 'view', where: `view ${view.name}, row ${id}`, message }]
  })
}

const IN_WORDS: Readonly<Record<RowComparison, string | undefined>> = {
  equal: undefined,
  newer: 'it is at a later version than the log',
  older: 'it is at an earlier version than the log',
  different: 'it differs from what the log folds to',
  missing: 'it is missing',
}
