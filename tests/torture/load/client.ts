import type { Entry, Moment, Outcome, Refusal, Row, VersionedRow } from '../history.ts'
import type { Random } from '../random.ts'
import type { Answer, Answered, Call, Request } from './caller.ts'
import { isOfferedDirectly } from './direct-caller.ts'
import type { KnownRecords } from './known-records.ts'

/** What an operation needs. */
export interface Client {
  readonly call: Call
  readonly now: () => Moment
  readonly record: (entry: Entry) => void
  readonly random: Random
  readonly known: KnownRecords
  /** Their count. They are numbered from 0, followed by the contracts processes, which `call` reaches over gRPC. */
  readonly gateways: number
  readonly processes: number
  /** A unique text: the letter and a number, always of the same length. */
  readonly newWord: (letter: string) => string
}

/** How long a request with an Idempotency-Key is retried, in milliseconds. */
const RETRY_TIMEOUT = 60_000
/** Between two attempts, in milliseconds. */
const PAUSE = 100
/** How often a request is sent to a contracts process over gRPC. */
const DIRECT_SHARE = 0.15

export const otherGateway = ({ gateways }: Client, gateway: number): number => (gateway + 1) % gateways

export const anyGateway = ({ random, gateways }: Client): number => random.between(0, gateways - 1)

/** Chooses the target of each attempt at a request: a random gateway, or a random contracts process. */
export function anyDoor(client: Client, request: Request, share = DIRECT_SHARE): () => number {
  const { random, gateways, processes } = client
  const isDirect = isOfferedDirectly(request) && random.chance(share)
  return () => (isDirect ? gateways + random.between(0, processes - 1) : anyGateway(client))
}

/** How a write was answered. */
export interface Sent {
  readonly answer: Answer
  readonly gateway: number
  readonly outcome: Outcome
  /** The acknowledgement. */
  readonly done?: Answered
  readonly refusal?: Refusal
}

/**
 * Sends a write; one with an Idempotency-Key is retried until its outcome is known. A refusal is an outcome, even after
 * an attempt in doubt: no attempt with that key may be carried out after it.
 */
export async function sendWrite(
  client: Client,
  request: Request,
  key: string | undefined,
  door = anyDoor(client, request),
): Promise<Sent> {
  const headers = { ...request.headers, ...(key !== undefined && { 'idempotency-key': key }) }
  const end = client.now() + RETRY_TIMEOUT
  let doubt = false
  for (;;) {
    const gateway = door()
    const answer = await client.call(gateway, { ...request, headers })
    doubt ||= isDoubtful(answer)
    if (isAnswered(answer) && answer.status < 300) return { answer, gateway, outcome: 'ok', done: answer }
    // 429 says nothing about the request itself.
    const isRefused = isAnswered(answer) && answer.status < 500 && answer.status !== 429
    if (isRefused) return { answer, gateway, outcome: 'failed', ...refusalIn(answer) }
    if (key === undefined || client.now() > end) return { answer, gateway, outcome: doubt ? 'unknown' : 'failed' }
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

const isAnswered = (answer: Answer): answer is Answered => typeof answer.status === 'number'

/** Whether the write may have been carried out, or may still be. */
const isDoubtful = (answer: Answer): boolean =>
  answer.status === 'broken' || (isAnswered(answer) && answer.status >= 500 && answer.words !== '503 unavailable')

const REFUSALS: readonly string[] = ['precondition_failed', 'not_found', 'period_closed'] satisfies Refusal[]

const refusalIn = ({ body }: Answered): { readonly refusal?: Refusal } =>
  REFUSALS.includes(body.code) ? { refusal: body.code } : {}

// biome-ignore lint/suspicious/noExplicitAny: a record as the API answers it
export function rowOf({ id, serviceName, serviceType, notes, serviceDate, createdAt }: any): Row {
  const date = serviceDate.slice(0, 'YYYY-MM-DD'.length)
  return { id, serviceName, serviceType, notes, serviceDate: date, createdAt: Date.parse(createdAt) }
}

/** The record in an answer. */
export const recordIn = (answer: { readonly body: unknown; readonly version: number }): VersionedRow => ({
  ...rowOf(answer.body),
  version: answer.version,
})
