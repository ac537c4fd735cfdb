import { answerWithin } from '../../async/answer-within.ts'
import { sharingRuns } from '../../async/shared-runs.ts'
import type { Logger } from '../log/logger.ts'

/** Looks something up when metrics are read. */
export interface Reading {
  /** In the log, for example `relay lag`. */
  readonly what: string
  read(): Promise<void>
  /** Takes back what was read before: an old figure must not look like a new one. */
  forget(): void
}

/** How long one reading may take, in milliseconds: a database that is away must not hold up the other figures. */
const TIMEOUT = 1_000
/** However often metrics are read, the databases are asked no more often, in milliseconds. */
const FRESH = 1_000

/** No readings yet; one that fails is left out and logged at debug. */
export function createReadings(logger: Logger) {
  const readings: Reading[] = []

  async function carryOutAll(): Promise<void> {
    await Promise.all(readings.map((reading) => carryOutOne(reading, logger)))
  }

  return {
    add: (reading: Reading) => readings.push(reading),
    /** Answers when all have been read or have failed; those who ask meanwhile, or within a second, share it. */
    carryOut: sharingRuns(carryOutAll, { freshMilliseconds: FRESH }).join,
  }
}

async function carryOutOne({ what, read, forget }: Reading, logger: Logger): Promise<void> {
  try {
    await answerWithin(TIMEOUT, read())
  } catch (error) {
    forget()
    logger.debug({ err: error, what }, 'a figure could not be read')
  }
}
