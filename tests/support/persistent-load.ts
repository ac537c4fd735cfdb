import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { aNewContract, type Rest } from './rest.ts'

/** Between two attempts of a request, in milliseconds. */
const RETRY_DELAY = 100
/** How long a request is retried, in milliseconds. */
const RETRY_TIMEOUT = 90_000

/** Callers who each create one record after another, and retry through any failure. */
export interface PersistentLoad {
  /** The records as answered, by path. */
  readonly created: Map<string, unknown>
  /** Resolves when the creations in progress have succeeded. */
  finish(): Promise<void>
}

/**
 * Creates contracts for one client and, now and then, businesses. A creation that gets no answer, or 503, is retried
 * with its Idempotency-Key until it succeeds.
 */
export function startPersistentLoad(call: Rest, callers: number, clientId: string): PersistentLoad {
  const created = new Map<string, unknown>()
  let finishing = false
  const loop = async (): Promise<void> => {
    for (let count = 0; !finishing; count++) {
      const isBusiness = count % 5 === 4
      const body = isBusiness ? { legalName: `Load ${clientId}` } : aNewContract({ clientId })
      const answer = await createForSure(call, isBusiness ? '/businesses' : '/contracts', body)
      created.set(answer.path, answer.body)
    }
  }
  const loops = Promise.all(Array.from({ length: callers }, loop))
  // Reported by `finish`.
  loops.catch(() => {})
  return {
    created,
    async finish() {
      finishing = true
      await loops
    },
  }
}

async function createForSure(call: Rest, path: string, body: object): Promise<{ path: string; body: unknown }> {
  const headers = { 'idempotency-key': randomUUID() }
  for (const end = Date.now() + RETRY_TIMEOUT; ; ) {
    const answer = await call('POST', path, body, headers).catch(() => undefined)
    if (answer?.status === 201) return { path: answer.headers.get('location') ?? '', body: answer.body }
    const canRecover = answer === undefined || answer.status === 503
    if (!canRecover || Date.now() > end) throw new Error(`${path}: ${JSON.stringify(answer?.body) ?? 'no answer'}`)
    await pause(RETRY_DELAY)
  }
}
