import type { Random } from '../torture/random.ts'

/** The outcome of an attempt. */
export interface Attempt {
  readonly sent: Buffer
  readonly answer: string
  /** Whether Mint reported an internal error. */
  readonly failed: boolean
}

/** One attempt, drawn from random numbers. */
export type Attack = (random: Random) => Promise<Attempt>
