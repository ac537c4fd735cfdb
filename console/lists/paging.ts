import type { Query } from '../frame/address.ts'
import { text } from '../languages/texts.ts'

/** How many rows a page of a list has by default. */
const PAGE_SIZE = 50
/** The sizes to choose from. */
export const PAGE_SIZES = [25, PAGE_SIZE, 100]

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

/** The offsets of the pages around a range; undefined: there is nothing in that direction. */
export function stepsFrom({ offset, total }: Range, size = PAGE_SIZE) {
  const last = Math.max(0, Math.floor((total - 1) / size) * size)
  return {
    first: offset > 0 ? 0 : undefined,
    previous: offset > 0 ? Math.min(Math.max(0, offset - size), last) : undefined,
    next: offset + size < total ? offset + size : undefined,
    last: offset < last ? last : undefined,
  }
}

/** How many rows an address asks for: the default unless it is one of the sizes. */
export function sizeOf(requested: string | undefined, sizes: readonly number[] = PAGE_SIZES): number {
  return sizes.find((size) => String(size) === requested) ?? PAGE_SIZE
}

/** The offset that an address asks for: 0 unless the API accepts it. */
export function offsetOf(requested: string | undefined): number {
  return requested !== undefined && /^\d{1,9}$/.test(requested) ? Number(requested) : 0
}

/** The page that an address asks for. */
export function pageIn({ rows, offset }: Query, sizes?: readonly number[]) {
  return { limit: sizeOf(rows, sizes), offset: offsetOf(offset) }
}
