import { setTimeout as pause } from 'node:timers/promises'
import { answerWithin } from '../../async/answer-within.ts'
import { sharingRuns } from '../../async/shared-runs.ts'
import type { Logger } from '../log/logger.ts'

/** Something that a process needs, under the name that those who look after it know. */
export interface ReadinessCheck {
  readonly name: string
  /** Rejects, or does not answer in time, when it can't be used now. */
  check(): Promise<unknown>
}

export interface Readiness {
  readonly ready: boolean
  /** Names of what can't be used now. */
  readonly missing: readonly string[]
}

interface ReadinessOptions {
  /** How long each check may take, in milliseconds; they run side by side. */
  readonly timeoutMilliseconds?: number
  /** How long an answer counts, in milliseconds: however often it is asked for, the checks run no more often. */
  readonly freshMilliseconds?: number
  /** Milliseconds that only go forward. */
  readonly now?: () => number
}

/** Whether all that is needed can be used now, asked at most once at a time and shared by whoever asks meanwhile. */
export function createReadiness(
  checks: readonly ReadinessCheck[],
  { timeoutMilliseconds = 1_000, freshMilliseconds = 1_000, ...clock }: ReadinessOptions = {},
): () => Promise<Readiness> {
  async function look(): Promise<Readiness> {
    const outcomes = await Promise.allSettled(
      checks.map(async ({ check }) => await answerWithin(timeoutMilliseconds, check())),
    )
    const missing = checks.filter((_, index) => outcomes[index]?.status === 'rejected').map(({ name }) => name)
    return { ready: missing.length === 0, missing }
  }

  return sharingRuns(look, { freshMilliseconds, ...clock }).join
}

/** The same of one check, as yes or no. */
export function whileReady(check: ReadinessCheck): () => Promise<boolean> {
  const look = createReadiness([check])
  return async () => (await look()).ready
}

/** How often a process that just started looks for what it lacks, in milliseconds. */
const LOOK_INTERVAL = 500

/** Says in the log what a process waits for, whenever that changes, until it is ready or `stopping` is aborted. */
export async function sayWhatIsMissing(
  readiness: () => Promise<Readiness>,
  { logger, stopping }: { readonly logger: Logger; readonly stopping: AbortSignal },
): Promise<void> {
  for (let said = ''; !stopping.aborted; ) {
    const { ready, missing } = await readiness()
    if (ready) return logger.info('ready: everything that is needed answers')
    const names = missing.join(', ')
    if (names !== said) logger.warn(`waiting for ${names}`)
    said = names
    await pause(LOOK_INTERVAL, undefined, { signal: stopping }).catch(() => undefined)
  }
}
