// The README's tour with a typed client, which openapi-typescript generates from the running Mint's own document.
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { paths } from './mint-api.ts'

const { MINT_URL: baseUrl = 'http://127.0.0.1:8080', MINT_API_KEY } = process.env
if (!MINT_API_KEY) throw new Error('Set MINT_API_KEY to an API key of the Mint at MINT_URL.')
const mint = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${MINT_API_KEY}` } })

// A contract. Mint computes the total.
const created = await mint.POST('/contracts', {
  body: {
    clientId: '11111111-1111-1111-1111-111111111111',
    serviceName: 'Sales tax return',
    serviceType: 'tax-filing',
    serviceFee: 19.99,
    taxPercent: 8.25,
  },
})
assert(created.data, created.error?.detail)
console.log(`contract ${created.data.id}: ${created.data.totalFeeWithTax}`)

// An edit of the version just returned. A second edit of that version is refused.
const edit = () =>
  mint.PATCH('/contracts/{id}', {
    params: { path: { id: created.data.id }, header: { 'If-Match': created.response.headers.get('ETag') ?? '' } },
    body: { serviceFee: 25 },
  })
const edited = await edit()
assert(edited.data, edited.error?.detail)
console.log(`contract ${edited.data.id}: ${edited.data.totalFeeWithTax}`)
const refused = await edit()
console.log(`again: ${refused.error?.code}`)

// A business. Sent twice, it is created once.
const create = () =>
  mint.POST('/businesses', {
    params: { header: { 'Idempotency-Key': 'tour-1' } },
    body: {
      legalName: 'École Montréal Ltée',
      operatedAs: 'École Montréal',
      email: 'bonjour@example.com',
      industryType: 'service',
    },
  })
const [business, sameBusiness] = [await create(), await create()]
assert(business.data, business.error?.detail)
assert.deepEqual(sameBusiness.data, business.data)
console.log(`business: ${business.data.operatedAs}`)

// Its Client record, read by its id, exists at once.
const client = await mint.GET('/clients/{clientId}', { params: { path: { clientId: business.data.clientId } } })
assert(client.data, client.error?.detail)
console.log(`client: ${client.data.displayName}`)

const found = await mint.GET('/contracts', { params: { query: { search: 'TAX', limit: 10 } } })
assert(found.data, found.error?.detail)
console.log(`contracts found: ${found.data.total}`)

// What was billed this month, as a decimal string.
const serviceDateFrom = `${new Date().toISOString().slice(0, 7)}-01`
const report = await mint.GET('/reports/contracts', { params: { query: { groupBy: 'month', serviceDateFrom } } })
assert(report.data, report.error?.detail)
console.log(`billed this month: ${report.data.sums.billed}`)
