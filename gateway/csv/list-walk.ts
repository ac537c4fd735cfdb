import type { Pace } from '../../shared/budget/pace.ts'

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
 * Yields the pages of a list, each from after the last record of the previous one: a record that exists at the start
 * and matches throughout comes exactly once. `pace` says how long they are.
 */
export async function* walkList<Id, Item extends { readonly id: Id }>(
  list: (step: WalkStep<Id>) => Promise<readonly Item[]>,
  { limit = Number.POSITIVE_INFINITY, offset = 0, after }: Walk<Id>,
  pace: Pace,
): AsyncGenerator<readonly Item[], void, undefined> {
  let left = limit
  let step: WalkStep<Id> = { limit: Math.min(pace.rows(), left), offset, after, withoutTotal: true }
  for (;;) {
    const page = await list(step)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    left -= page.length
    if (left <= 0) return
    step = { limit: Math.min(pace.rows(), left), offset: 0, after: last.id, withoutTotal: true }
  }
}
