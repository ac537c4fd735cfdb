import { ApiProblem, isUncertain } from '../api/problem.ts'

/** How long Mint may be down or busy. */
const MAX_WAIT_MILLISECONDS = 60_000
const [USUAL_PAUSE_SECONDS, MAX_PAUSE_SECONDS] = [1, 10]

/** Retries while Mint is busy or down: a write with an Idempotency-Key happens once. Throws what `send` does. */
export async function retryWhileBusy<Result>(send: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  const giveUpAt = performance.now() + MAX_WAIT_MILLISECONDS
  for (;;) {
    try {
      return await send()
    } catch (error) {
      if (!isTemporary(error) || performance.now() > giveUpAt) throw error
      const { retryAfter = USUAL_PAUSE_SECONDS } = error instanceof ApiProblem ? error : {}
      await pause(1_000 * Math.min(retryAfter, MAX_PAUSE_SECONDS), signal)
    }
  }
}

function isTemporary(error: unknown): boolean {
  return isUncertain(error) || (error instanceof ApiProblem && [429, 503].includes(error.status))
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
