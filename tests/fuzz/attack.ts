import type { Random } from '../torture/random.ts'

/** What came back from one attempt. */
export interface Attempt {
  readonly sent: Buffer
  readonly answer: string
  /** Whether Mint called it a fault of its own. */
  readonly failed: boolean
}

/** One attempt, drawn from random numbers. */
export type Attack = (random: Random) => Promise<Attempt>
