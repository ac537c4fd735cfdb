/** The ends of an axis, and the values that are marked on it: round ones, 0 among them, three to seven. */
export interface Scale {
  readonly top: number
  readonly bottom: number
  readonly ticks: readonly number[]
}

/** The scale for amounts of which 0 may be the lowest or the highest, but none is beyond. */
export function scaleFor(lowest: number, highest: number): Scale {
  const range = highest - lowest
  if (range === 0) return { top: 1, bottom: 0, ticks: [0] }
  const power = 10 ** Math.floor(Math.log10(range))
  const step = [0.25, 0.5, 1, 2.5].map((factor) => factor * power).find((step) => range / step <= 5) ?? power * 2.5
  const [below, above] = [Math.ceil(-lowest / step), Math.ceil(highest / step)]
  const ticks = Array.from({ length: below + above + 1 }, (_, index) => (index - below) * step)
  return { top: above * step, bottom: 0 - below * step, ticks }
}

/** Where the two bars of a month are across the chart. */
export function barsOf(index: number, count: number) {
  const at = (share: number) => `${((index + share) / count) * 100}%`
  const width = `${(0.36 / count) * 100}%`
  return { before: { x: at(0.12), width }, now: { x: at(0.52), width }, middle: at(0.5) }
}

/** Every how many months there is room for a label. */
export const labelStep = (count: number): number => Math.ceil(count / 12)
