import { randomUUID } from 'node:crypto'
import type { Rest } from '../support/rest.ts'

/** Sends CSV files by `call`. */
export function csvSending(call: Rest) {
  const send = (path: string, file: string | Uint8Array, headers: Readonly<Record<string, string | undefined>> = {}) =>
    call('POST', path, file === '' ? Buffer.alloc(0) : file, {
      'content-type': 'text/csv',
      'idempotency-key': randomUUID(),
      ...headers,
    })
  const check = (path: string, file: string | Uint8Array) =>
    send(`${path}?dryRun=true`, file, { 'idempotency-key': undefined })
  return { send, check }
}
