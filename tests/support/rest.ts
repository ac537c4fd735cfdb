import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { assertDocumented } from './documented-answers.ts'

/** An answer of the REST API. */
export interface RestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: any answer of the API
  readonly body: any
}

/**
 * Calls the REST API; rejects if no answer comes. A string or bytes as the body are sent unchanged, any other value
 * as JSON. A header given as undefined is left out.
 */
export type Rest = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string | undefined>>,
) => Promise<RestAnswer>

/** For writes in a closed period. */
export const OVERRIDING = { 'closing-override': 'A%20late%20correction' }

/** A caller with a key, and JSON as its media type. */
export function restClient({ url, key }: { readonly url: string; readonly key: string }): Rest {
  return async (method, path, body, headers = {}) => {
    const all = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const answer = await fetch(url + path, {
      method,
      headers: given,
      redirect: 'manual',
      ...(body !== undefined && { body: toBody(body) }),
    })
    // Unlike text(), this leaves a byte order mark in place.
    const text = Buffer.from(await answer.arrayBuffer()).toString()
    const isJson = text !== '' && !answer.headers.get('content-type')?.startsWith('text/')
    const parsed = isJson ? JSON.parse(text) : undefined
    const received = { status: answer.status, headers: answer.headers, text, body: parsed }
    assertDocumented(method, path, received)
    return received
  }
}

function toBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

/** Creates a record, asserting success, and returns it. */
// biome-ignore lint/suspicious/noExplicitAny: any answer of the API
export async function create(call: Rest, path: string, body: object, headers = {}): Promise<any> {
  const answer = await call('POST', path, body, headers)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** A valid new contract. */
export const aNewContract = (changes: object = {}) => ({
  clientId: '11111111-1111-1111-1111-111111111111',
  serviceName: 'Annual accounts',
  serviceType: 'bookkeeping',
  serviceFee: 150,
  taxPercent: 13,
  ...changes,
})

/** Creates contracts from the lines of a CSV file, in one request. */
export async function importContracts(call: Rest, lines: readonly string[]): Promise<void> {
  const file = lines.join('\n')
  const headers = { 'content-type': 'text/csv', 'idempotency-key': randomUUID() }
  const { status, text } = await call('POST', '/contracts.csv', file, { ...OVERRIDING, ...headers })
  assert.equal(status, 200, text)
}
