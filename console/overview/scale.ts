/** The ends of an axis, and the values that are marked on it: round ones, 0 among them, three to seven. */
export interface Scale {
  readonly top: number
  readonly bottom: number
  readonly ticks: readonly number[]
}

/** The scale for amounts. `lowest` is at most 0, `highest` at least 0. */
export function scaleFor(lowest: number, highest: number): Scale {
  const range = highest - lowest
  if (range === 0) return { top: 1, bottom: 0, ticks: [0] }
  const power = 10 ** Math.floor(Math.log10(range))
  const step = [0.25, 0.5, 1, 2.5].map((factor) => factor * power).find((step) => range / step <= 5) ?? power * 2.5
  const [below, above] = [Math.ceil(-lowest / step), Math.ceil(highest / step)]
  const ticks = Array.from({ length: below + above + 1 }, (_, index) => (index - below) * step)
  return { top: above * step, bottom: 0 - below * step, ticks }
}

/** A chart of fewer months has room for this many, so that a single bar doesn't fill the page. */
const MIN_SLOTS = 6

/** How far across a chart a number of months reaches; it may be a fraction. */
const placeOf = (months: number, count: number): string => `${(months / Math.max(MIN_SLOTS, count)) * 100}%`

/** How far across the chart the two bars of a month are. */
export function barsOf(index: number, count: number) {
  const at = (share: number) => placeOf(index + share, count)
  const width = placeOf(0.36, count)
  return { before: { x: at(0.12), width }, now: { x: at(0.52), width }, middle: at(0.5) }
}

/** How many months apart labels are, so that there is room for them. */
export const labelStep = (count: number): number => Math.ceil(count / 12)
