import { ApiProblem, isUncertain } from '../api/problem.ts'

/** How long Mint may be away or busy, in milliseconds. */
const PATIENCE = 60_000
const [USUAL_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS] = [1, 10]

/** Sends again after a while, if Mint is busy or away: what has an Idempotency-Key is done once. Throws what `send` does. */
export async function patiently<Result>(send: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  const giveUpAt = Date.now() + PATIENCE
  for (;;) {
    try {
      return await send()
    } catch (error) {
      if (!isTemporary(error) || Date.now() > giveUpAt) throw error
      const { retryAfter = USUAL_PAUSE_SECONDS } = error instanceof ApiProblem ? error : {}
      await passing(1_000 * Math.min(retryAfter, LONGEST_PAUSE_SECONDS), signal)
    }
  }
}

function isTemporary(error: unknown): boolean {
  return isUncertain(error) || (error instanceof ApiProblem && [429, 503].includes(error.status))
}

function passing(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
