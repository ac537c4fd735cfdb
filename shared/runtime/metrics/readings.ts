import { answerWithin } from '../../async/answer-within.ts'
import { sharingRuns } from '../../async/shared-runs.ts'
import type { Logger } from '../log/logger.ts'

/** A value that is read whenever metrics are read. */
export interface Reading {
  /** Its name in the log, for example `relay lag`. */
  readonly what: string
  read(): Promise<void>
  /** Removes the previous value: an old value must not look like a new one. */
  forget(): void
}

/** Timeout of one reading, in milliseconds: an unavailable database must not block the other values. */
const TIMEOUT = 1_000
/** The minimum interval between two queries of the databases, however often metrics are read, in milliseconds. */
const FRESH = 1_000

/** Creates an empty set of readings; one that fails is left out and logged at debug. */
export function createReadings(logger: Logger) {
  const readings: Reading[] = []

  async function runAll(): Promise<void> {
    await Promise.all(readings.map((reading) => runOne(reading, logger)))
  }

  return {
    add: (reading: Reading) => readings.push(reading),
    /** Resolves when all have been read or have failed; calls meanwhile, or within a second, share the result. */
    run: sharingRuns(runAll, { freshMilliseconds: FRESH }).join,
  }
}

async function runOne({ what, read, forget }: Reading, logger: Logger): Promise<void> {
  try {
    await answerWithin(TIMEOUT, read())
  } catch (error) {
    forget()
    logger.debug({ err: error, what }, 'a metric could not be read')
  }
}
