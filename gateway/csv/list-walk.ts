import type { Pace } from '../../shared/budget/pace.ts'
import type { Piecewise } from '../routes/answer.ts'

/** Where a walk through a list starts and ends, as in the list's own parameters; without a limit, at the list's end. */
export interface Walk<Id> {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly after?: Id | undefined
}

/** The parameters of one page; the total isn't needed. */
export interface WalkStep<Id> {
  readonly limit: number
  readonly offset: number
  readonly after: Id | undefined
  readonly withoutTotal: true
}

/**
 * Reads a list page by page, each from after the last record of the previous one: a record that exists at the start and
 * matches throughout comes exactly once. `pace` says how long the pages are.
 */
export function walkList<Id, Item extends { readonly id: Id }>(
  list: (step: WalkStep<Id>) => Promise<readonly Item[]>,
  { limit = Number.POSITIVE_INFINITY, offset = 0, after }: Walk<Id>,
  pace: Pace,
): Piecewise<readonly Item[]> {
  let [left, skipped, last] = [limit, offset, after]
  return async () => {
    if (left <= 0) return undefined
    const page = await list({ limit: Math.min(pace.rows(), left), offset: skipped, after: last, withoutTotal: true })
    left = page.length === 0 ? 0 : left - page.length
    skipped = 0
    last = page.at(-1)?.id
    return page.length === 0 ? undefined : page
  }
}
