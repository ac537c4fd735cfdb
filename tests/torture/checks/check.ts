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

/** Runs every check on a whole history. `go`: the Go command. */
export async function checkHistory(history: History, go: string) {
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
    /** How much Porcupine checked, in words. */
    checked,
  }
}

/** The operations whose linearizability Porcupine checks. */
export function* operationsIn(history: History) {
  yield* operationsByRecord(history)
  yield* operationsOnClosing(history)
}
