import { Pool } from 'undici'
import type { Load } from '../measure/load.ts'
import { CONNECTIONS } from '../measure/rounds.ts'
import { getLoad, postLoad } from '../mint.ts'

/** One request in this many creates a contract; the others read one. */
const REQUESTS_PER_CREATE = 4

/** The mix of reads and creates in the load. */
export interface Requests {
  /** Sends the next request of the mix as soon as a connection is free. Rejects unless the answer is a success. */
  send(): Promise<void>
  /** Rejects requests in progress. */
  close(): Promise<void>
}

/** Creates, and reads of everything created so far, in turn and repeatedly; `key` only for Mint. */
export function mixedRequests(url: string, key?: string): Requests {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 })
  const create = postLoad(url, key)
  const created: unknown[] = []
  let sent = 0
  /** Which created contract is read next. */
  let next = 0
  const roundTrip = async ({ url: target, method, headers, body }: Load) => {
    const answer = await pool.request({ path: target.slice(url.length), method, headers, body: body ?? null })
    if (answer.statusCode < 300) return answer.body
    throw new Error(`${method} ${target} answered ${answer.statusCode}: ${await answer.body.text()}`)
  }
  return {
    async send() {
      if (created.length === 0 || sent++ % REQUESTS_PER_CREATE === 0) {
        const answer = await roundTrip(create)
        const contract = (await answer.json()) as { readonly id: unknown }
        created.push(contract.id)
      } else {
        const id = created[next]
        next = (next + 1) % created.length
        const answer = await roundTrip(getLoad(url, id, key))
        await answer.dump()
      }
    },
    async close() {
      if (!pool.destroyed) await pool.destroy()
    },
  }
}
