/** A pseudo-random source that yields the same numbers at every start. */
export type Random = ReturnType<typeof createRandom>

/** The generator mulberry32 (Tommy Ettinger, 2017, public domain): small, and good enough to make up data. */
export function createRandom(seed: number) {
  let state = seed
  /** From 0, below 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** A whole number from `min` to `max`, both included. */
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  /** One of the choices, of which there is at least one. */
  const pick = <T>(choices: readonly T[]): T => choices[between(0, choices.length - 1)] as T
  return { next, between, pick }
}
