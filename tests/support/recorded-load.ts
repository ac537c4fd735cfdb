import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { aNewContract, type Rest, type RestAnswer } from './rest.ts'

type Body = Record<string, unknown>

/** A request whose answer was seen. */
interface Acknowledged {
  readonly request: Request
  readonly answer: RestAnswer
}

interface Request {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: Body
  /** Its Idempotency-Key, when it has one. */
  readonly key?: string
}

/** What is known about a record: exactly what the last answer about it said. */
interface KnownRecord {
  readonly path: string
  readonly body: Body
  readonly version: number
}

/** Everything that was asked for and answered, over any number of lives of the process. */
export interface Ledger {
  readonly records: Map<string, KnownRecord>
  /** Requests that no answer came to: each was done once or not at all. */
  readonly doubtful: Request[]
  readonly keyed: Acknowledged[]
  /** The marks of the creations that were never answered and have no key to ask again with. */
  readonly neverAnswered: Set<string>
}

/** Nothing was sent yet. */
export const newLedger = (): Ledger => ({
  records: new Map(),
  doubtful: [],
  keyed: [],
  neverAnswered: new Set(),
})

/** The field that a creation marks its record with, so that it can be counted. */
export const markOf = (record: Body): string => String(record.serviceName ?? record.legalName)

/**
 * Creates and edits through so many callers at once, each on records of its own, until no answer comes to any of them:
 * somebody is expected to kill the process. Every answer goes into the ledger.
 */
export async function loadUntilKilled(call: Rest, ledger: Ledger, callers: number): Promise<void> {
  const paths = [...ledger.records.keys()]
  const loop = async (caller: number): Promise<void> => {
    const own = paths.filter((_, index) => index % callers === caller)
    for (;;) {
      const request = randomRequest(own)
      const answer = await send(call, request).catch(() => undefined)
      if (answer === undefined) {
        ledger.doubtful.push(request)
        return
      }
      const path = enter(ledger, request, answer)
      if (request.method === 'POST') own.push(path)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)))
}

/** Finds out after a restart what became of the requests in doubt, as a caller would: again with the key, or by GET. */
export async function settleDoubts(call: Rest, ledger: Ledger): Promise<void> {
  for (const request of ledger.doubtful.splice(0)) {
    if (request.key !== undefined) enter(ledger, request, await send(call, request))
    else if (request.method === 'POST') ledger.neverAnswered.add(markOf(request.body))
    else await settleEdit(call, ledger, request)
  }
}

async function settleEdit(call: Rest, ledger: Ledger, { path, body }: Request): Promise<void> {
  const before = known(ledger, path)
  const answer = await call('GET', path)
  const version = versionIn(answer)
  const changed = version > before.version
  assert.ok(version - before.version <= 1, `${path} was edited more than once`)
  assert.deepEqual(withoutUpdate(answer.body), withoutUpdate(changed ? { ...before.body, ...body } : before.body))
  ledger.records.set(path, { path, body: answer.body, version })
}

const send = (call: Rest, { method, path, body, key }: Request): Promise<RestAnswer> =>
  call(method, path, body, key === undefined ? {} : { 'idempotency-key': key })

/** Notes an answer, after checking that it is what the request must lead to; returns the record's path. */
function enter(ledger: Ledger, request: Request, answer: RestAnswer): string {
  assert.equal(answer.status, request.method === 'POST' ? 201 : 200, JSON.stringify(answer.body))
  const path = request.method === 'POST' ? String(answer.headers.get('location')) : request.path
  const version = versionIn(answer)
  for (const [name, value] of Object.entries(request.body)) assert.deepEqual(answer.body[name], value, name)
  assert.equal(version, request.method === 'POST' ? 1 : known(ledger, path).version + 1)
  ledger.records.set(path, { path, body: answer.body, version })
  if (request.key !== undefined) ledger.keyed.push({ request, answer })
  return path
}

function known(ledger: Ledger, path: string): KnownRecord {
  const record = ledger.records.get(path)
  assert.ok(record, `${path} is not in the ledger`)
  return record
}

/** Sends keyed requests once more: each must get its first answer, and nothing new may come of it. */
export async function assertFirstAnswers(call: Rest, ledger: Ledger, count: number): Promise<void> {
  const sample = Array.from({ length: Math.min(count, ledger.keyed.length) }, () => pick(ledger.keyed))
  for (const { request, answer } of sample) {
    const again = await send(call, request)
    assert.deepEqual([again.status, again.body], [answer.status, answer.body])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(again.headers.get('etag'), answer.headers.get('etag'))
  }
}

/** The version that an answer's ETag carries. */
export const versionIn = (answer: RestAnswer): number => Number(answer.headers.get('etag')?.replaceAll('"', ''))

const withoutUpdate = ({ updatedAt, ...rest }: Body): Body => rest

function randomRequest(own: readonly string[]): Request {
  const key = Math.random() < 0.5 ? { key: randomUUID() } : {}
  const mark = randomUUID()
  if (own.length > 0 && Math.random() < 0.4) {
    const path = pick(own)
    const body = path.startsWith('/contracts') ? { notes: mark } : { operatedAs: mark }
    return { method: 'PATCH', path, body, ...key }
  }
  return Math.random() < 0.75
    ? { method: 'POST', path: '/contracts', body: aNewContract({ serviceName: mark }), ...key }
    : { method: 'POST', path: '/businesses', body: { legalName: mark }, ...key }
}

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T
