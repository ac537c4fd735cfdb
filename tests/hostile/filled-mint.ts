import assert from 'node:assert/strict'
import type { Rest } from '../support/rest.ts'

/** Makes exports, lists and histories large: 40,000 bytes each. */
const NOTES = '\u{1f4b6}'.repeat(10_000)
const LONG_CONTRACTS = 200
const EDITS = 101
/** Enough to make a report grouped by client slow. */
const SHORT_CONTRACTS = 10_000
const CLIENTS = 2_000
const HEAD = 'clientId,serviceName,serviceType,serviceFee,serviceDate,notes'

/** Fills a Mint like a firm with long notes: contract 1 has many long versions, the newest contracts are all long. */
export async function fillWithLongNotes(call: Rest): Promise<void> {
  const create = async (count: number, notes: string): Promise<void> => {
    const rows = Array.from({ length: count }, (_, index) => `${clientOf(index)},Audit,bookkeeping,19.99,,${notes}`)
    const headers = { 'content-type': 'text/csv', 'idempotency-key': `${count}` }
    const { status, text } = await call('POST', '/contracts.csv', `${[HEAD, ...rows].join('\n')}\n`, headers)
    assert.equal(status, 200, text)
  }
  await create(SHORT_CONTRACTS, '')
  await create(LONG_CONTRACTS, NOTES)
  for (let edit = 0; edit < EDITS; edit++) {
    const { status, text } = await call('PATCH', '/contracts/1', { notes: `${edit}${NOTES.slice(2 * 3)}` })
    assert.equal(status, 200, text)
  }
}

const clientOf = (index: number): string => `11111111-1111-4111-8111-${`${index % CLIENTS}`.padStart(12, '0')}`
