/** How many contracts a month has. */
interface MonthCount {
  /** `2026-03` */
  readonly month: string
  readonly count: number
}

/** Where the last contracts begin in the order of their dates: at a day, after some of those from it on. */
interface Beginning {
  /** undefined: there are no more than wanted. */
  readonly from: string | undefined
  readonly offset: number
}

/** Finds the last contracts by the months that have some, oldest first: of a million, the API then counts few. */
export function lastContracts(months: readonly MonthCount[], wanted: number): Beginning {
  let found = 0
  for (const { month, count } of months.toReversed()) {
    found += count
    if (found >= wanted) return { from: `${month}-01`, offset: found - wanted }
  }
  return { from: undefined, offset: 0 }
}
