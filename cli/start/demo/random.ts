/** A source of numbers that is the same at every start. */
export interface Random {
  /** From 0, below 1. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  pick<T>(choices: readonly [T, ...T[]]): T
}

/** The generator mulberry32 (Tommy Ettinger, 2017, public domain): small, and good enough to make up data. */
export function createRandom(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return { next, between, pick: ([first, ...rest]) => rest[between(0, rest.length) - 1] ?? first }
}
