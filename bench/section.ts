import type { Pace } from './measure/rounds.ts'
import type { Engines } from './mint.ts'
import type { SectionResult } from './result.ts'

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
