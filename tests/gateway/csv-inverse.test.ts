import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { businessFields } from '../../shared/fields/business-fields.ts'
import { contractFields } from '../../shared/fields/contract-fields.ts'
import { rulesOf } from '../../shared/fields/field-table.ts'
import { forAllAsync } from '../support/for-all.ts'
import { type GatewayUnderTest, startWholeMint } from '../support/gateway-fixture.ts'
import { waitFor } from '../support/wait-for.ts'

/** Characters that separate, quote, change case, or could be mistaken for a formula or a byte order mark. */
const HOSTILE = [...'"\',;\t\r\n=+-@ aÉßςİ😀', '\r\n', '""', "''", '\u2028', '\u00a0', '\ufeff', '＝', 'e\u0301', '\\']

const text = (maxLength: number) => fc.array(fc.constantFrom(...HOSTILE), { maxLength }).map((parts) => parts.join(''))
/** Not only white space. */
const visibleText = text(12).map((start) => `${start}x`)
const amount = (max: number, min = 0) =>
  fc.tuple(fc.integer({ min, max }), fc.nat({ max: 9_999 })).map(([whole, decimals]) => Number(`${whole}.${decimals}`))
const date = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

const business = {
  legalName: visibleText,
  operatedAs: text(12),
  businessNumber: text(6),
  taxId: fc.option(text(6)),
  phone: text(6),
  email: fc.constantFrom('', "o'neil+x@example.com"),
  ownershipType: fc.constantFrom(...businessFields.ownershipType.shown.options),
  industryType: fc.constantFrom(...businessFields.industryType.shown.options),
  incorporationDate: fc.oneof(
    fc.constant(''),
    date.map((at) => at.toISOString().slice(0, 10)),
  ),
}
const contract = {
  serviceName: visibleText,
  serviceType: visibleText,
  serviceFee: amount(999_999_999, -999_999_999),
  taxPercent: amount(999),
  serviceDate: date.map((at) => at.toISOString().slice(0, 10)),
  notes: text(40),
}
const firm = fc.array(fc.tuple(fc.record(business), fc.array(fc.record(contract), { minLength: 1, maxLength: 3 })), {
  minLength: 1,
  maxLength: 6,
})

describe('CSV export and import', () => {
  it('are tested with every field of a row', () => {
    assert.deepEqual(Object.keys(business), Object.keys(rulesOf(businessFields, 'cellRule')))
    assert.deepEqual(['clientId', ...Object.keys(contract)], Object.keys(rulesOf(contractFields, 'cellRule')))
  })

  it('are inverses of each other, whatever the texts contain', async () => {
    await forAllAsync([firm, fc.boolean()], { numRuns: 4 }, async (clients, bom) => {
      await using ends = new AsyncDisposableStack()
      const [from, to] = [await newMint(ends), await newMint(ends)]
      await fill(from, clients)
      const query = bom ? '?bom=true' : ''
      const businesses = (await from.call('GET', `/businesses.csv${query}`)).text
      const contracts = (await from.call('GET', `/contracts.csv${query}`)).text
      await send(to, '/businesses.csv', businesses)
      await untilClients(to, clients.length)
      // The businesses have new clientIds, so contracts are imported by client name.
      await send(to, '/contracts.csv', withoutColumn(contracts, 'clientId'))
      for (const [path, file] of [
        ['/businesses.csv', businesses],
        ['/contracts.csv', contracts],
      ] as const) {
        assert.deepEqual(rowsOf((await to.call('GET', path)).text), rowsOf(file))
      }
    })
  })
})

type Firm = typeof firm extends fc.Arbitrary<infer Value> ? Value : never

async function newMint(ends: AsyncDisposableStack): Promise<GatewayUnderTest> {
  const mint = await startWholeMint('direct')
  ends.defer(() => mint.stop())
  return mint
}

/** A number at the end keeps names distinct, even when case-folded. */
async function fill(mint: GatewayUnderTest, clients: Firm): Promise<void> {
  for (const [index, [fields, contracts]] of clients.entries()) {
    const operatedAs = fields.operatedAs && `${fields.operatedAs}#${index}`
    const made = await mint.call('POST', '/businesses', {
      ...fields,
      legalName: `${fields.legalName}#${index}`,
      operatedAs,
    })
    assert.equal(made.status, 201, made.text)
    for (const one of contracts) {
      const answer = await mint.call('POST', '/contracts', { ...one, clientId: made.body.clientId })
      assert.equal(answer.status, 201, answer.text)
    }
  }
  await untilClients(mint, clients.length)
}

async function untilClients(mint: GatewayUnderTest, count: number): Promise<void> {
  await waitFor(async () => (await mint.call('GET', '/clients')).body.total === count, { what: 'every client' })
}

async function send(mint: GatewayUnderTest, path: string, file: string): Promise<void> {
  const headers = { 'content-type': 'text/csv', 'idempotency-key': 'all' }
  const { status, text: answer, body } = await mint.call('POST', path, file, headers)
  assert.equal(status, 200, answer)
  assert.equal(body.created, body.rows)
}

const read = (file: string): Record<string, string>[] => parse(file, { columns: true, bom: true })

function withoutColumn(file: string, column: string): string {
  return stringify(
    read(file).map(({ [column]: _, ...rest }) => rest),
    { header: true, quoted: true },
  )
}

/** Sorted, without the fields that each Mint assigns itself. */
function rowsOf(file: string): string[] {
  return read(file)
    .map(({ id: _, clientId: _c, createdAt: _a, updatedAt: _u, ...rest }) => JSON.stringify(rest))
    .sort()
}
