import { text } from '../languages/texts.ts'

/** How many rows a page of a list has. */
export const PAGE_SIZE = 50

/** Which rows of a list are shown. */
export interface Range {
  readonly offset: number
  readonly shown: number
  readonly total: number
}

/** `1–50 of 1,234`. */
export function rangeText({ offset, shown, total }: Range): string {
  if (total === 0) return text('lists.noMatches')
  if (shown === 0) return text('lists.noMoreThan', { total })
  return text('lists.range', { first: offset + 1, last: offset + shown, total })
}

/** The offsets that lead on from a range; undefined: there is nothing in that direction. */
export function stepsFrom({ offset, total }: Range, size = PAGE_SIZE) {
  const last = Math.max(0, Math.floor((total - 1) / size) * size)
  return {
    first: offset > 0 ? 0 : undefined,
    previous: offset > 0 ? Math.min(Math.max(0, offset - size), last) : undefined,
    next: offset + size < total ? offset + size : undefined,
    last: offset < last ? last : undefined,
  }
}

/** The offset that an address asks for: 0 unless it is a number of the API. */
export function offsetOf(asked: string | undefined): number {
  return asked !== undefined && /^\d{1,9}$/.test(asked) ? Number(asked) : 0
}
