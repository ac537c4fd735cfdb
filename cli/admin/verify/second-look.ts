import { setTimeout as pause } from 'node:timers/promises'
import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { RecordedCommit, RowComparison } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import type { Suspects, VerifyOptions } from './first-look.ts'
import { createStatesByCategory, type StreamStates } from './stream-states.ts'
import { wholeLog } from './whole-log.ts'

/** How often, and after which pause in milliseconds, rows are looked at: one may lag behind a writer. */
const LOOKS = 5
const PAUSE = 100

interface WrongRow {
  readonly view: AnyViewDefinition
  readonly id: string
  readonly message: string
}

/** Folds the suspects anew from the log's beginning, and tells what is wrong with those that are not as they should be. */
export async function lookAgain(options: VerifyOptions, suspects: Suspects): Promise<void> {
  const { inspection, findings } = options
  if (suspects.commitIds.size === 0 && [...suspects.streams.values()].every((ids) => ids.size === 0)) return
  const statesByCategory = createStatesByCategory(options)
  const timesInLog = new Map<string, number>()
  let reached: Position = BEGINNING

  function take(commit: RecordedCommit): void {
    const { position, stream, commitId } = commit
    reached = position
    if (suspects.commitIds.has(commitId)) timesInLog.set(commitId, (timesInLog.get(commitId) ?? 0) + 1)
    if (suspects.streams.get(stream.category)?.has(stream.id)) statesByCategory.get(stream.category)?.take(commit)
  }

  for (let look = 1; look <= LOOKS; look++) {
    for await (const commits of wholeLog(inspection, reached)) for (const commit of commits) take(commit)
    const wrong = await findWrongRows(options, suspects, statesByCategory)
    if (wrong.length === 0) break
    if (look < LOOKS) await pause(PAUSE)
    else for (const { view, id, message } of wrong) findings.add('view', `view ${view.name}, row ${id}`, message)
  }
  for (const [commitId, times] of timesInLog) {
    if (times > 1) findings.add('commit-id', `commit ${commitId}`, `it stands in the log ${times} times`)
  }
}

async function findWrongRows(
  { inspection, views }: VerifyOptions,
  suspects: Suspects,
  statesByCategory: ReadonlyMap<string, StreamStates>,
): Promise<WrongRow[]> {
  const wrong: WrongRow[] = []
  for (const view of views) {
    const states = statesByCategory.get(view.category)
    const rows = states?.all() ?? []
    const comparisons = await inspection.compareRows(view, rows)
    for (const [index, { id }] of rows.entries()) {
      const comparison = comparisons[index]
      if (comparison && comparison !== 'equal') wrong.push({ view, id, message: IN_WORDS[comparison] })
    }
    for (const id of suspects.streams.get(view.category) ?? []) {
      if (!states?.knows(id)) wrong.push({ view, id, message: 'the log knows nothing of it' })
    }
  }
  return wrong
}

const IN_WORDS: Readonly<Record<Exclude<RowComparison, 'equal'>, string>> = {
  newer: 'it stands at a later version than the log',
  older: 'it stands at an earlier version than the log',
  different: 'it is not what the log folds to',
  missing: 'it is missing',
}
