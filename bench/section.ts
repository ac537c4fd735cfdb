import { type Contestant, inTurns, type Measured, type Pace } from './measure/rounds.ts'
import type { Engines } from './mint.ts'
import { type Check, requestRows, type SectionResult } from './result.ts'

/** The tools that a section measures with. */
export interface Bench {
  readonly pace: Pace
  /** undefined: MONGO_URL and KAFKA_BROKERS are not both set. */
  readonly engines: Engines | undefined
  /** Registers something to stop when the section ends, in whatever way; returns it. */
  onEnd<T extends { stop(): Promise<void> }>(started: T): T
}

/** Why a section can't be measured here. */
export class LeftOut extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'LeftOut'
  }
}

export type Measure = (bench: Bench) => Promise<SectionResult>

/** The engines, for a section that requires them. */
export function enginesOf({ engines }: Bench): Engines {
  if (!engines) throw new LeftOut('MONGO_URL and KAFKA_BROKERS are not both set')
  return engines
}

/** The number of contracts when lists are compared. */
export const LISTED = 1_000

interface Comparison extends Pick<SectionResult, 'title' | 'notes'> {
  readonly checks: (measured: readonly Measured[]) => readonly Check[]
}

/** Loads contestants in turn, and reports their requests. */
export async function compared(
  { pace }: Bench,
  contestants: readonly Contestant[],
  { checks, ...texts }: Comparison,
): Promise<SectionResult> {
  const measured = await inTurns(contestants, pace)
  return { ...texts, rows: requestRows(measured), checks: checks(measured) }
}
