/** The top of an axis, and the values that are marked on it: round ones, three to six. */
export function scaleTo(highest: number): { readonly top: number; readonly ticks: readonly number[] } {
  if (highest === 0) return { top: 1, ticks: [0] }
  const power = 10 ** Math.floor(Math.log10(highest))
  const step = [0.25, 0.5, 1, 2.5].map((factor) => factor * power).find((step) => highest / step <= 5) ?? power * 2.5
  const count = Math.ceil(highest / step)
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) }
}

/** Where the two bars of a month are across the chart. */
export function barsOf(index: number, count: number) {
  const at = (share: number) => `${((index + share) / count) * 100}%`
  const width = `${(0.36 / count) * 100}%`
  return { before: { x: at(0.12), width }, now: { x: at(0.52), width }, middle: at(0.5) }
}

/** Every how many months there is room for a label. */
export const labelStep = (count: number): number => Math.ceil(count / 12)
