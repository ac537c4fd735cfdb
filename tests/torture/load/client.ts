import type { Entry, Moment, Row, VersionedRow } from '../history.ts'
import type { Random } from '../random.ts'
import type { Answer, Call } from './caller.ts'
import type { KnownRecords } from './known-records.ts'

/** What an operation is carried out with. */
export interface Client {
  readonly call: Call
  readonly now: () => Moment
  readonly record: (entry: Entry) => void
  readonly random: Random
  readonly known: KnownRecords
  readonly gateways: number
  /** A text that no other call gets: its letter and a number, always of the same length. */
  readonly newWord: (letter: string) => string
}

/** How long a request with an Idempotency-Key is sent again, in milliseconds. */
const PERSISTENCE = 60_000
/** Between two attempts, in milliseconds. */
const PAUSE = 100

export const otherGateway = ({ gateways }: Client, gateway: number): number => (gateway + 1) % gateways

export const anyGateway = ({ random, gateways }: Client): number => random.between(0, gateways - 1)

/**
 * Sends a write; one with an Idempotency-Key again and again, through any gateway, until its outcome is known. `doubt`
 * says whether an attempt may have been carried out without being acknowledged.
 */
export async function sendWrite(
  client: Client,
  request: Parameters<Call>[1],
  key: string | undefined,
): Promise<{ readonly answer: Answer; readonly gateway: number; readonly doubt: boolean }> {
  const headers = { ...request.headers, ...(key !== undefined && { 'idempotency-key': key }) }
  const end = client.now() + PERSISTENCE
  let doubt = false
  for (;;) {
    const gateway = anyGateway(client)
    const answer = await client.call(gateway, { ...request, headers })
    doubt ||= isDoubtful(answer)
    const isSettled = typeof answer.status === 'number' && answer.status < 500
    if (isSettled || key === undefined || client.now() > end) return { answer, gateway, doubt }
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

/** Only these say that nothing was written, and that nothing will be. */
const isDoubtful = ({ status, words }: Answer): boolean =>
  status === 'broken' || (typeof status === 'number' && status >= 500 && words !== '503 unavailable')

// biome-ignore lint/suspicious/noExplicitAny: a record as the API answers it
export function rowOf({ id, serviceName, serviceType, notes, createdAt }: any): Row {
  return { id, serviceName, serviceType, notes, createdAt: Date.parse(createdAt) }
}

/** The record in an answer. */
export const recordIn = (answer: { readonly body: unknown; readonly version: number }): VersionedRow => ({
  ...rowOf(answer.body),
  version: answer.version,
})
