/** Where a walk through a list begins and ends: as the list's own parameters say, and no limit means all of it. */
export interface Walk<Id> {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly after?: Id | undefined
}

/** What to ask the list for; the total isn't wanted. */
export interface WalkStep<Id> {
  readonly limit: number
  readonly offset: number
  readonly after: Id | undefined
  readonly withoutTotal: true
}

/** The most that a list answers at once. */
const PAGE = 100

/**
 * Page by page, each after the last record of the one before: a record that is there at the beginning, and matches all
 * the while, comes exactly once.
 */
export async function* walkList<Id, Item extends { readonly id: Id }>(
  list: (step: WalkStep<Id>) => Promise<readonly Item[]>,
  { limit = Number.POSITIVE_INFINITY, offset = 0, after }: Walk<Id>,
): AsyncGenerator<readonly Item[], void, undefined> {
  let left = limit
  let step: WalkStep<Id> = { limit: Math.min(PAGE, left), offset, after, withoutTotal: true }
  for (;;) {
    const page = await list(step)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    left -= page.length
    if (left <= 0) return
    step = { limit: Math.min(PAGE, left), offset: 0, after: last.id, withoutTotal: true }
  }
}
