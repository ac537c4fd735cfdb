import type { History } from '../history.ts'
import { unexpectedAnswers } from './answers.ts'
import { violationsAtEnd } from './end-state.ts'
import { violationsOfLists } from './lists.ts'
import { operationsByRecord } from './per-record.ts'
import { buildPorcupine } from './porcupine.ts'

export interface CheckResult {
  readonly violations: readonly string[]
  /** How much Porcupine checked, in words. */
  readonly checked: string
}

/** Every check of a whole history. `go`: the Go command. */
export async function checkHistory(history: History, go: string): Promise<CheckResult> {
  const porcupine = await buildPorcupine(go)
  const { violations, checked } = await porcupine.check(operationsByRecord(history)).finally(porcupine.remove)
  return {
    violations: [
      ...violations,
      ...violationsOfLists(history),
      ...violationsAtEnd(history),
      ...unexpectedAnswers(history),
    ],
    checked,
  }
}
