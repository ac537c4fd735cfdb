import type { Slice } from './slices.ts'
import type { Way } from './ways.ts'

/** A slice that takes longer than this, in milliseconds, is followed by a shorter one: others wait so long. */
const LONGEST_SLICE = 4
/** A slice that takes less is followed by a longer one. */
const SHORT_SLICE = 1.5
/** Entries of the counts that the first slice spans. */
const FIRST_SPAN = 8
/** Slices of a way that tell its cost. */
const COSTS = 2

/** Which way a list goes, slice by slice. */
export interface WayChoice {
  /** The way of the next slice, and how many entries of the counts that one should span. */
  next(): { readonly way: Way; readonly span: number }
  /** How long the slice took that went the way of `next`, in milliseconds. */
  learn(slice: Slice, took: number): void
}

/** A way, and how it did lately. */
interface TriedWay {
  readonly way: Way
  /** Milliseconds for each row that its last slices passed, the latest first. */
  costs: readonly number[]
  span: number
}

/** The least, as a slice may have had to wait for others on the machine; 0 while untried. */
const costOf = ({ costs }: TriedWay): number => (costs.length === 0 ? 0 : Math.min(...costs))

/**
 * Goes the first way while its slices are quick; when one isn't, the other way is tried once, then the cheaper one taken.
 * A slice spans more keys or fewer by how long the last one took.
 */
export function createWayChoice([first, ...others]: readonly [Way, ...Way[]]): WayChoice {
  const untried = (way: Way): TriedWay => ({ way, costs: [], span: FIRST_SPAN })
  let current = untried(first)
  const ways = [current, ...others.map(untried)]
  return {
    next: () => current,
    learn({ rows }, took) {
      current.costs = [took / Math.max(1, rows), ...current.costs].slice(0, COSTS)
      if (took < SHORT_SLICE) current.span = Math.min(2 * current.span, current.way.longestSpan)
      else if (took > LONGEST_SLICE) current.span = Math.max(1, Math.floor(current.span / 2))
      if (took >= SHORT_SLICE)
        current = ways.reduce((cheapest, way) => (costOf(way) < costOf(cheapest) ? way : cheapest))
    },
  }
}
