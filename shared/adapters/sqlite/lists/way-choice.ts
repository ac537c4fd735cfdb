import type { Slice } from './slices.ts'
import type { Way } from './ways.ts'

/** A slice that takes longer than this, in milliseconds, is followed by one half as long: others wait so long. */
const LONGEST_SLICE = 4
/**
 * Four times as long, one of this length is as long as it may be. Each slice opens the index anew (0.1 to 2 ms), so that
 * few long ones take half the time of many: a term with 1,600 matches of a million 6 ms, not 12.
 */
const SHORT_SLICE = LONGEST_SLICE / 4
/** Entries of the counts that the first slice spans. */
const FIRST_SPAN = 16
/** From so many milliseconds on, the time that a way has used tells its cost. */
const TELLING = 8
/** Some machines count processor time in steps of so many milliseconds. */
const PROCESSOR_STEP = 4
/** Where one row in so many matches, packed texts (10 to 30 ns a row) are quicker than the index (330 ns a match). */
const DENSE = 32

/** What a slice took, in milliseconds. */
export interface Took {
  readonly elapsed: number
  /** Of this thread. */
  readonly processor: number
}

/** Which way a list goes, slice by slice. */
export interface WayChoice {
  /** The way of the next slice, and how many entries of the counts that one should span. */
  next(): { readonly way: Way; readonly span: number }
  /** The way to the page's rows in a slice in which so many match; undefined: they were not counted. */
  forPage(slice: Slice, found: number | undefined): Way
  /** What the slice took that went the way of `next`, and how many it found. */
  learn(slice: Slice, found: number | undefined, took: Took): void
}

interface TriedWay {
  readonly way: Way
  /** Its first slice opens tables and indexes, which tells nothing of those that follow. */
  isOpen: boolean
  /** Milliseconds of work since then, and the rows that it passed in them. */
  used: number
  rows: number
  span: number
}

const isTold = ({ used }: TriedWay): boolean => used >= TELLING
const costOf = ({ used, rows }: TriedWay): number => used / Math.max(1, rows)

/**
 * Goes the first way until its cost is told, then the other one, then the cheaper of both; where many rows match and
 * the texts are packed, those at once. Costs are of work, with at most a step of waiting a slice: on a busy machine one
 * may take ten times as long as it works. A page among many matches is also taken from the texts: 0.1 ms, where opening
 * the index to read downwards takes 3.
 */
export function createWayChoice([first, second]: readonly [Way, Way?]): WayChoice {
  const untried = (way: Way): TriedWay => ({ way, isOpen: false, used: 0, rows: 0, span: FIRST_SPAN })
  const [one, other] = [untried(first), second && untried(second)]
  let current = one

  const isForDense = (slice: Slice, found = 0): boolean => second?.isPacked === true && found * DENSE >= slice.rows

  function cheaper(slice: Slice, found: number | undefined): TriedWay {
    if (!other) return one
    if (isTold(one) && isTold(other)) return costOf(other) < costOf(one) ? other : one
    return isTold(one) || isForDense(slice, found) ? other : one
  }

  return {
    next: () => current,
    forPage(slice, found) {
      if (!second?.isPacked) return current.way
      return isForDense(slice, found) ? second : first
    },
    learn(slice, found, { elapsed, processor }) {
      // Elapsed time is exact, unless other threads had their turn in it: then it is more than was worked.
      const took = Math.min(elapsed, processor + PROCESSOR_STEP)
      if (current.isOpen) {
        current.used += took
        current.rows += slice.rows
      }
      current.isOpen = true
      // Where the index finds little, what a slice takes is mostly the opening, however long it is.
      const isOpening = second?.isPacked === true && current === one && !isForDense(slice, found)
      const short = isOpening ? LONGEST_SLICE : SHORT_SLICE
      if (took < short) current.span = Math.min(4 * current.span, current.way.longestSpan)
      else if (took > LONGEST_SLICE) current.span = Math.max(1, Math.floor(current.span / 2))
      current = cheaper(slice, found)
    },
  }
}
