import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fetch } from 'undici'
import { aNewContract } from './rest.ts'
import type { ReverseProxy } from './reverse-proxy.ts'

const CALLERS = 8
/** Between the starts of a caller's requests, in milliseconds, unless an answer takes longer. */
const REQUEST_INTERVAL = 200

/** One request in four creates a contract for `clientId` with an Idempotency-Key, one lists them, two read the last. */
export function startSteadyLoad({ url, dispatcher }: Omit<ReverseProxy, 'stop'>, key: string, clientId: string) {
  const created = new Map<string, unknown>()
  const failures: string[] = []
  const list = `/contracts?clientId=${clientId}&limit=5`
  const begun = Date.now()
  let [last, sent, answered, slowest, finishing] = [list, 0, 0, 0, false]

  async function send(path: string, body?: object): Promise<void> {
    const at = Date.now()
    const method = body === undefined ? 'GET' : 'POST'
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    }
    try {
      const answer = await fetch(url + path, { method, headers, dispatcher, body: body ? JSON.stringify(body) : null })
      const text = await answer.text()
      if (answer.status !== (body === undefined ? 200 : 201)) throw new Error(`${answer.status} ${text.slice(0, 300)}`)
      answered++
      if (body === undefined) return
      last = answer.headers.get('location') ?? ''
      created.set(last, JSON.parse(text))
    } catch (error) {
      const { message, cause = '' } = error as Error
      failures.push(`after ${at - begun} ms: ${method} ${path}: ${message} ${cause}`)
    } finally {
      slowest = Math.max(slowest, Date.now() - at)
    }
  }

  async function call(): Promise<void> {
    while (!finishing) {
      const next = pause(REQUEST_INTERVAL)
      const turn = sent++ % 4
      await (turn === 0 ? send('/contracts', aNewContract({ clientId })) : send(turn === 1 ? list : last))
      await next
    }
  }

  const calling = Promise.all(Array.from({ length: CALLERS }, call))
  return {
    /** A line for each request that failed: when, what, and how. */
    failures,
    /** How many requests have been answered correctly. */
    answered: () => answered,
    /** Starts no more requests; resolves when those in progress have ended. */
    async finish() {
      finishing = true
      await calling
      return { sent, created, slowest }
    },
  }
}
