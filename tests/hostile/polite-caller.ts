import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { waitFor } from '../support/wait-for.ts'

/**
 * What a polite caller requests: records all the time, over a connection that it keeps and over new ones, and in parallel
 * the larger requests, one after another.
 */
export const POLITE_REQUESTS = ['record', 'newcomer', 'report', 'export', 'import'] as const
export type PoliteRequest = (typeof POLITE_REQUESTS)[number]
const LARGER: readonly PoliteRequest[] = ['report', 'export', 'import']

/** In milliseconds: the time after which a caller gives up. */
export const ANSWER_TIMEOUT = 30_000

export interface PoliteOptions {
  readonly url: string
  readonly key: string
}

/** Another caller, with another key, which must not notice an attack. */
export interface PoliteCaller {
  /** How long each answer took, in milliseconds. */
  readonly times: Readonly<Record<PoliteRequest, readonly number[]>>
  /** A sentence for each request that was not answered correctly. */
  readonly failures: readonly string[]
  /** Resolves when each kind of request has been answered, correctly or not, this many more times. */
  rounds(count: number): Promise<void>
  /** Stops. Requests in progress count neither as answered nor as failed. */
  stop(): Promise<void>
}

/** Calls from a separate thread, where the attackers don't delay it. */
export function startPoliteCaller({ url, key }: PoliteOptions): PoliteCaller {
  const worker = new Worker(new URL('./polite-caller-thread.ts', import.meta.url), { workerData: { url, key } })
  const times: Record<PoliteRequest, number[]> = { record: [], newcomer: [], report: [], export: [], import: [] }
  const failures: string[] = []
  let [answered, isOver] = [0, false]
  worker.on('message', ({ what, time, failure }: PoliteAnswer) => {
    if (LARGER.includes(what)) answered++
    if (failure === undefined) times[what].push(time)
    else failures.push(`${what} after ${Math.round(time)} ms: ${failure}`)
  })
  const ended = once(worker, 'exit')
  return {
    times,
    failures,
    async rounds(count) {
      const wanted = answered + count * LARGER.length
      // Each request has its own timeout in the thread.
      const timeout = count * LARGER.length * ANSWER_TIMEOUT
      await waitFor(() => answered >= wanted || isOver, { timeout, what: `${count} rounds of a polite caller` })
    },
    async stop() {
      isOver = true
      worker.postMessage('stop')
      await ended
    },
  }
}

/** What the thread reports about a request. */
export interface PoliteAnswer {
  readonly what: PoliteRequest
  readonly time: number
  readonly failure?: string
}
