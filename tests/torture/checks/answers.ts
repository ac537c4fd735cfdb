import { EXIT } from '../../../cli/exit.ts'
import type { History } from '../history.ts'

/** The answers that are allowed, besides success. */
const UNAVAILABLE = ['429 rate_limited', '503 unavailable', '503 outcome_unknown', 'broken', 'refused']
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  create: ['201', '409 period_closed', ...UNAVAILABLE],
  business: ['201', ...UNAVAILABLE],
  edit: ['200', '404 not_found', '409 period_closed', '412 precondition_failed', ...UNAVAILABLE],
  touch: ['200', '404 not_found', '412 precondition_failed', ...UNAVAILABLE],
  'set-closing': ['200', '412 precondition_failed', ...UNAVAILABLE],
  'get-closing': ['200'],
  report: ['200'],
  changes: ['200'],
  get: ['200', '404 not_found'],
  list: ['200'],
  find: ['200'],
  'failed-read': UNAVAILABLE,
}

/** Unexplained answers: an internal error, or a refusal of a correct request. */
export function unexpectedAnswers(history: History): string[] {
  return Object.entries(EXPECTED).flatMap(([type, expected]) => {
    const operations = history[type as 'create' | 'get']
    const strange = operations.filter(({ status }) => !expected.includes(status))
    const counts = Map.groupBy(strange, ({ status }) => status)
    return [...counts].map(([status, { length }]) => `${length} × ${type}: answered ${status}`)
  })
}

/** What `mint verify` found during the run. */
export const differences = (history: History): string[] =>
  history.command.flatMap(({ name, status, output }) => (status === `${EXIT.differs}` ? [`${name}: ${output}`] : []))
