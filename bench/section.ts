import { type Contestant, inTurns, type Measured, type Pace } from './measure/rounds.ts'
import type { Engines } from './mint.ts'
import { type Check, requestRows, type SectionResult } from './result.ts'

/** What a section is measured with. */
export interface Bench {
  readonly pace: Pace
  /** undefined: MONGO_URL and KAFKA_BROKERS are not both set. */
  readonly engines: Engines | undefined
  /** Stops what was started when the section ends, however it ends; answers it. */
  onEnd<T extends { stop(): Promise<void> }>(started: T): T
}

/** A section that can't be measured here: says why. */
export class LeftOut extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'LeftOut'
  }
}

export type Measure = (bench: Bench) => Promise<SectionResult>

/** The engines, for a section that can't do without them. */
export function enginesOf({ engines }: Bench): Engines {
  if (!engines) throw new LeftOut('MONGO_URL and KAFKA_BROKERS are not both set')
  return engines
}

/** How many contracts there are where lists are compared. */
export const LISTED = 1_000

interface Comparison extends Pick<SectionResult, 'title' | 'notes'> {
  readonly checks: (measured: readonly Measured[]) => readonly Check[]
}

/** Loads contestants in turns, and reports their requests. */
export async function compared(
  { pace }: Bench,
  contestants: readonly Contestant[],
  { checks, ...texts }: Comparison,
): Promise<SectionResult> {
  const measured = await inTurns(contestants, pace)
  return { ...texts, rows: requestRows(measured), checks: checks(measured) }
}
