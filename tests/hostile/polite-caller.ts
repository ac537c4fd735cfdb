import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { waitFor } from '../support/wait-for.ts'

/** What a polite caller asks for: records all the time, and beside that one of the large things after the other. */
export const POLITE_REQUESTS = ['record', 'report', 'export', 'import'] as const
export type PoliteRequest = (typeof POLITE_REQUESTS)[number]

/** How long an answer may take, in milliseconds: whoever waits longer has given up. */
export const PATIENCE = 30_000

export interface PoliteOptions {
  readonly url: string
  readonly key: string
}

/** Another caller, with another key, who must not notice an attack. */
export interface PoliteCaller {
  /** How long each answer took, in milliseconds. */
  readonly times: Readonly<Record<PoliteRequest, readonly number[]>>
  /** A sentence for each request that was not answered as it should be. */
  readonly failures: readonly string[]
  /** Answers when each kind of request has been answered, well or not, this many more times. */
  rounds(count: number): Promise<void>
  /** Asks for nothing more. What is under way counts neither as answered nor as failed. */
  stop(): Promise<void>
}

/** Calls from a thread of its own, where the attackers don't delay it. */
export function startPoliteCaller({ url, key }: PoliteOptions): PoliteCaller {
  const worker = new Worker(new URL('./polite-caller-thread.ts', import.meta.url), { workerData: { url, key } })
  const times: Record<PoliteRequest, number[]> = { record: [], report: [], export: [], import: [] }
  const failures: string[] = []
  let [answered, isOver] = [0, false]
  worker.on('message', ({ what, time, failure }: PoliteAnswer) => {
    if (what !== 'record') answered++
    if (failure === undefined) times[what].push(time)
    else failures.push(`${what} after ${Math.round(time)} ms: ${failure}`)
  })
  const ended = once(worker, 'exit')
  return {
    times,
    failures,
    async rounds(count) {
      const wanted = answered + count * (POLITE_REQUESTS.length - 1)
      // Each request ends by itself in time: see the thread.
      const timeout = count * (POLITE_REQUESTS.length - 1) * PATIENCE
      await waitFor(() => answered >= wanted || isOver, { timeout, what: `${count} rounds of a polite caller` })
    },
    async stop() {
      isOver = true
      worker.postMessage('stop')
      await ended
    },
  }
}

/** What the thread reports of one request. */
export interface PoliteAnswer {
  readonly what: PoliteRequest
  readonly time: number
  readonly failure?: string
}
