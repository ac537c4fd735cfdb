import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { aNewContract, type Rest, type RestAnswer } from './rest.ts'

type Body = Record<string, unknown>

/** A request with a known answer. */
interface Acknowledged {
  readonly request: Request
  readonly answer: RestAnswer
}

interface Request {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: Body
  /** Its Idempotency-Key, if any. */
  readonly key?: string
}

/** The known state of a record: exactly what the last answer about it said. */
interface KnownRecord {
  readonly path: string
  readonly body: Body
  readonly version: number
}

/** All requests and answers, over any number of restarts of the process. */
export interface RecordedLoad {
  readonly records: Map<string, KnownRecord>
  /** Requests without an answer: each was carried out once or not at all. */
  readonly doubtful: Request[]
  readonly keyed: Acknowledged[]
  /** The marks of unanswered creations that have no key to retry with. */
  readonly neverAnswered: Set<string>
}

/** A load that has sent nothing yet. */
export const newRecordedLoad = (): RecordedLoad => ({
  records: new Map(),
  doubtful: [],
  keyed: [],
  neverAnswered: new Set(),
})

/** The field that a creation marks its record with, so that it can be counted. */
export const markOf = (record: Body): string => String(record.serviceName ?? record.legalName)

/**
 * Creates and edits through this many concurrent callers, each with its own records, until none of them gets an answer:
 * the test is expected to kill the process. Every answer is recorded.
 */
export async function loadUntilKilled(call: Rest, recorded: RecordedLoad, callers: number): Promise<void> {
  const paths = [...recorded.records.keys()]
  const loop = async (caller: number): Promise<void> => {
    const own = paths.filter((_, index) => index % callers === caller)
    for (;;) {
      const request = randomRequest(own)
      const answer = await send(call, request).catch(() => undefined)
      if (answer === undefined) {
        recorded.doubtful.push(request)
        return
      }
      const path = enter(recorded, request, answer)
      if (request.method === 'POST') own.push(path)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)))
}

/** Resolves the requests in doubt after a restart, as a caller would: by a retry with the key, or by GET. */
export async function settleDoubts(call: Rest, recorded: RecordedLoad): Promise<void> {
  for (const request of recorded.doubtful.splice(0)) {
    if (request.key !== undefined) enter(recorded, request, await send(call, request))
    else if (request.method === 'POST') recorded.neverAnswered.add(markOf(request.body))
    else await settleEdit(call, recorded, request)
  }
}

async function settleEdit(call: Rest, recorded: RecordedLoad, { path, body }: Request): Promise<void> {
  const before = known(recorded, path)
  const answer = await call('GET', path)
  const version = versionIn(answer)
  const changed = version > before.version
  assert.ok(version - before.version <= 1, `${path} was edited more than once`)
  assert.deepEqual(withoutUpdate(answer.body), withoutUpdate(changed ? { ...before.body, ...body } : before.body))
  recorded.records.set(path, { path, body: answer.body, version })
}

const send = (call: Rest, { method, path, body, key }: Request): Promise<RestAnswer> =>
  call(method, path, body, key === undefined ? {} : { 'idempotency-key': key })

/** Records an answer, after checking that it is the right one for the request; returns the record's path. */
function enter(recorded: RecordedLoad, request: Request, answer: RestAnswer): string {
  assert.equal(answer.status, request.method === 'POST' ? 201 : 200, JSON.stringify(answer.body))
  const path = request.method === 'POST' ? String(answer.headers.get('location')) : request.path
  const version = versionIn(answer)
  for (const [name, value] of Object.entries(request.body)) assert.deepEqual(answer.body[name], value, name)
  assert.equal(version, request.method === 'POST' ? 1 : known(recorded, path).version + 1)
  recorded.records.set(path, { path, body: answer.body, version })
  if (request.key !== undefined) recorded.keyed.push({ request, answer })
  return path
}

function known(recorded: RecordedLoad, path: string): KnownRecord {
  const record = recorded.records.get(path)
  assert.ok(record, `${path} is not among the records`)
  return record
}

/** Sends keyed requests once more: each must get its first answer again, and change nothing. */
export async function assertFirstAnswers(call: Rest, recorded: RecordedLoad, count: number): Promise<void> {
  const sample = Array.from({ length: Math.min(count, recorded.keyed.length) }, () => pick(recorded.keyed))
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
