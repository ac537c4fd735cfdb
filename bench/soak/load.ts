import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Load } from '../measure/load.ts'
import { CONNECTIONS } from '../measure/rounds.ts'
import { getLoad, postLoad } from '../mint.ts'

/** One request in this many creates a contract; the others read one. */
const REQUESTS_PER_CREATE = 4
const TURN_MILLISECONDS = 2
const WARM_UP_SECONDS = 8
const MEASURED_SECONDS = 5

/** The mix of reads and creates in the load. */
type Requests = ReturnType<typeof mixedRequests>

/** The latencies of a load, and the reason of each failed request. */
export interface Latencies {
  readonly p50Milliseconds: number
  readonly p99Milliseconds: number
  readonly failures: readonly string[]
}

/** Creates, and reads of everything created so far, in turn and repeatedly; `key` only for Mint. */
export function mixedRequests(url: string, key?: string) {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 })
  const create = postLoad(url, key)
  const created: unknown[] = []
  let [sent, next] = [0, 0]
  const roundTrip = async ({ url: target, method, headers, body = '' }: Load) => {
    const answer = await pool.request({ path: target.slice(url.length), method, headers, body: body || null })
    if (answer.statusCode < 300) return (await answer.body.json()) as { readonly id: unknown }
    throw new Error(`${method} ${target} answered ${answer.statusCode}: ${await answer.body.text()}`)
  }
  return {
    /** Sends the next request of the mix as soon as a connection is free. Rejects unless the answer is a success. */
    async send(): Promise<void> {
      const isCreate = created.length === 0 || sent++ % REQUESTS_PER_CREATE === 0
      const { id } = await roundTrip(isCreate ? create : getLoad(url, created[next++ % created.length], key))
      if (isCreate) created.push(id)
    },
    close: () => pool.destroy(),
  }
}

/**
 * The requests of the mix answered per second if each connection sends the next one immediately. The sender uses the
 * machine as it does later, so that half of this rate is half of the load.
 */
export async function findMaximum({ send }: Requests): Promise<number> {
  async function answeredIn(seconds: number): Promise<number> {
    let answered = 0
    const end = performance.now() + seconds * 1_000
    const connection = async (): Promise<void> => {
      for (; performance.now() < end; answered++) await send()
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, connection))
    return answered
  }
  await answeredIn(WARM_UP_SECONDS)
  return (await answeredIn(MEASURED_SECONDS)) / MEASURED_SECONDS
}

/**
 * Sends requests at a steady rate, however fast they are answered. A request's time counts from when it was due, so that
 * a stalled server shows. Resolves when the last request is answered.
 */
export async function sendSteadily({ send }: Requests, requestsPerSecond: number, seconds: number): Promise<Latencies> {
  const times: number[] = []
  const failures: string[] = []
  const underWay: Promise<unknown>[] = []
  const begun = performance.now()
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - begun) / 1_000) {
    while (underWay.length < elapsed * requestsPerSecond) {
      const due = begun + (underWay.length / requestsPerSecond) * 1_000
      const answered = send().then(
        () => times.push(performance.now() - due),
        (error: Error) => failures.push(error.message),
      )
      underWay.push(answered)
    }
    await pause(TURN_MILLISECONDS)
  }
  await Promise.all(underWay)
  times.sort((a, b) => a - b)
  const at = (part: number): number => times[Math.floor(times.length * part)] ?? Number.NaN
  return { p50Milliseconds: at(0.5), p99Milliseconds: at(0.99), failures }
}
