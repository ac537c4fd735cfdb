import type { Logger } from '../logger.ts'

/** Looks something up when metrics are read. */
export interface Reading {
  /** In the log, for example `relay lag`. */
  readonly what: string
  read(): Promise<void>
  /** Takes back what was read before: an old figure must not look like a new one. */
  forget(): void
}

export interface Readings {
  add(reading: Reading): void
  /** Answers when all have been read or have failed; those who ask meanwhile, or within a second, share it. */
  carryOut(): Promise<void>
}

/** How long one reading may take, in milliseconds: a database that is away must not hold up the other figures. */
const TIMEOUT = 1_000
/** However often metrics are read, the databases are asked no more often, in milliseconds. */
const FRESH = 1_000

/** No readings yet; one that fails is left out and logged at debug. */
export function createReadings(logger: Logger): Readings {
  const readings: Reading[] = []
  let latest: Promise<void> | undefined
  let freshUntil = 0

  async function carryOutAll(): Promise<void> {
    await Promise.all(readings.map((reading) => carryOutOne(reading, logger)))
    freshUntil = performance.now() + FRESH
  }

  return {
    add: (reading) => readings.push(reading),
    carryOut() {
      if (latest === undefined || performance.now() >= freshUntil) {
        freshUntil = Number.POSITIVE_INFINITY
        latest = carryOutAll()
      }
      return latest
    },
  }
}

async function carryOutOne({ what, read, forget }: Reading, logger: Logger): Promise<void> {
  const tooLate = Promise.withResolvers<never>()
  const timer = setTimeout(() => tooLate.reject(new Error(`no answer within ${TIMEOUT} ms`)), TIMEOUT)
  try {
    await Promise.race([read(), tooLate.promise])
  } catch (error) {
    forget()
    logger.debug({ err: error, what }, 'a figure could not be read')
  } finally {
    clearTimeout(timer)
  }
}
