import type { History } from '../history.ts'
import { differences, unexpectedAnswers } from './answers.ts'
import { violationsOfClosedDates } from './closed-dates.ts'
import { operationsOnClosing } from './closings.ts'
import { violationsAtEnd } from './end-state.ts'
import { violationsOfFeed } from './feed.ts'
import { violationsOfLists } from './lists.ts'
import { violationsOfNames } from './names.ts'
import { operationsByRecord } from './per-record.ts'
import { buildPorcupine } from './porcupine.ts'
import { violationsOfReports } from './reports.ts'

export interface CheckResult {
  readonly violations: readonly string[]
  /** How much Porcupine checked, in words. */
  readonly checked: string
}

/** Runs every check on a whole history. `go`: the Go command. */
export async function checkHistory(history: History, go: string): Promise<CheckResult> {
  const porcupine = await buildPorcupine(go)
  const { violations, checked } = await porcupine.check(operationsIn(history)).finally(porcupine.remove)
  return {
    violations: [
      ...violations,
      ...violationsOfLists(history),
      ...violationsAtEnd(history),
      ...violationsOfFeed(history),
      ...violationsOfClosedDates(history),
      ...violationsOfReports(history),
      ...violationsOfNames(history),
      ...differences(history),
      ...unexpectedAnswers(history),
    ],
    checked,
  }
}

/** The operations whose linearizability Porcupine checks. */
export function* operationsIn(history: History) {
  yield* operationsByRecord(history)
  yield* operationsOnClosing(history)
}
