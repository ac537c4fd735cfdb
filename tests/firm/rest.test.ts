import assert from 'node:assert/strict'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { overEachTransport, TEST_KEY, TEST_KEY_ID } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { aNewContract, type Rest } from '../support/rest.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'

const READER = `mint_${'r'.repeat(30)}`
const apiKeys = staticApiKeys([
  { ...configuredKey(TEST_KEY), name: 'Owner' },
  { ...configuredKey(READER), scopes: [] },
])
const EMPTY = {
  ...{ name: '', address: '', email: '', phone: '', taxId: '', currency: '', timeZone: 'UTC', updatedAt: null },
}
/** The headers of an edit that applies only while the firm is empty. */
const IF_EMPTY = { 'if-match': '"0"', 'content-type': 'application/merge-patch+json' }
const dayAt = (moment: string, timeZone: string) =>
  `${new Date(moment).toLocaleDateString('sv', { timeZone })}T00:00:00.000Z`
const aBilled = (amounts: object) => aNewContract({ ...amounts, serviceType: 'billed' })
const past = async (call: Rest) => (await call('GET', '/reports/contracts')).body.asOf as string
const billedAt = async (call: Rest, asOf: string) => {
  const get = (path: string) => call('GET', `/reports/${path}?serviceType=billed&asOf=${asOf}`)
  const { sums } = (await get('contracts')).body
  const { lines } = (await get('contracts/lines')).body
  const billed = [sums.billed, ...lines.map(({ billed }: { billed: string }) => billed)]
  const files = [await get('contracts.csv'), await get('contracts/lines.csv')]
  const rows = files.flatMap(({ text }) => text.trimEnd().split('\r\n').slice(1))
  assert.deepEqual(
    rows.map((row) => row.split(',').at(-1)),
    billed,
  )
  return billed
}

overEachTransport(
  'The firm',
  (call) => {
    const edit = (body: object, headers = {}) => call('PATCH', '/firm', body, headers)

    it('is empty, at version 0, until it is first edited', async () => {
      const answer = await call('GET', '/firm')
      assert.deepEqual([answer.status, answer.body, answer.headers.get('etag')], [200, EMPTY, '"0"'])
      assert.deepEqual(Object.keys(answer.body), Object.keys(EMPTY))
      assert.deepEqual((await call('GET', '/firm/history')).body, { events: [], total: 0 })
      assert.equal((await call('GET', '/firm', undefined, { 'if-none-match': '"0"' })).status, 304)
      assert.deepEqual((await call('GET', '/firm?asOf=2020-01-01T00:00:00Z')).body, EMPTY)
      assertProblem(await edit({ name: 'x' }, { 'if-match': '"1"' }), 412, 'precondition_failed')
    })

    it('remembers an edit that changed nothing, made before the first real one', async () => {
      const headers = { 'idempotency-key': 'nothing-yet' }
      for (const replayed of [null, 'true']) {
        const same = await edit({ timeZone: '' }, headers)
        assert.deepEqual([same.status, same.body, same.headers.get('etag')], [200, EMPTY, '"0"'])
        assert.equal(same.headers.get('idempotency-replayed'), replayed)
      }
      assert.deepEqual((await edit({})).body, EMPTY)
      assertProblem(await edit({ name: 'x' }, headers), 409, 'idempotency_key_reused')
    })

    it('is edited field by field, with every change in its history', async () => {
      const before = await past(call)
      const first = await edit({ name: 'Harbour', address: '12 Quay Street\nHalifax' }, IF_EMPTY)
      const { updatedAt } = first.body
      const harbour = { ...EMPTY, name: 'Harbour', address: '12 Quay Street\nHalifax', updatedAt }
      assert.deepEqual([first.status, first.body, first.headers.get('etag')], [200, harbour, '"1"'])
      const second = await edit({ email: 'office@harbour.example', timeZone: 'America/Halifax', name: 'Harbour' })
      const now = { ...harbour, email: 'office@harbour.example', timeZone: 'America/Halifax' }
      assert.deepEqual(second.body, { ...now, updatedAt: second.body.updatedAt })
      assert.deepEqual((await call('GET', '/firm')).body, second.body)
      const same = await edit({ email: 'office@harbour.example' })
      assert.deepEqual([same.body, same.headers.get('etag')], [second.body, '"2"'])
      assert.deepEqual((await call('GET', `/firm?asOf=${updatedAt}`)).body, first.body)
      assert.deepEqual((await call('GET', `/firm?asOf=${before}`)).body, EMPTY)
      assert.deepEqual((await call('GET', '/firm?asOf=2999-12-31T00:00:00Z')).body, second.body)
      assertInvalid(await call('GET', '/firm?asOf=yesterday'), ['query /asOf invalid_timestamp'])
      const { events, total } = (await call('GET', '/firm/history')).body
      const author = { by: TEST_KEY_ID, byName: 'Owner' }
      assert.deepEqual(
        [events[0], total],
        [
          {
            ...{ version: 1, type: 'FirmEdited.v1', at: updatedAt, ...author },
            data: { name: 'Harbour', address: '12 Quay Street\nHalifax', updatedAt },
            before: { name: '', address: '', updatedAt: null },
          },
          2,
        ],
      )
      assert.deepEqual(events[1].before, { email: '', timeZone: 'UTC', updatedAt })
      assert.deepEqual((await call('GET', '/firm/history?offset=1&limit=1')).body.events, events.slice(1))
    })

    it('is edited once under an Idempotency-Key, and only at the version that If-Match names', async () => {
      const headers = { 'idempotency-key': 'new-phone' }
      const first = await edit({ phone: '+1 902 555 0100' }, headers)
      await edit({ phone: '+1 902 555 0111' })
      const again = await edit({ phone: '+1 902 555 0100' }, { ...headers, 'if-match': '"999"' })
      assert.deepEqual([again.text, again.headers.get('etag')], [first.text, first.headers.get('etag')])
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      assertProblem(await edit({ phone: '' }, headers), 409, 'idempotency_key_reused')
      assertProblem(
        await edit({ phone: '' }, { 'if-match': first.headers.get('etag') ?? '' }),
        412,
        'precondition_failed',
      )
      assert.equal((await call('GET', '/firm')).body.phone, '+1 902 555 0111')
    })

    it('can be read with any key, and edited only with firm:write', async () => {
      const reader = { authorization: `Bearer ${READER}` }
      assert.equal((await call('GET', '/firm', undefined, reader)).status, 200)
      assertProblem(await call('GET', '/firm/history', undefined, reader), 403, 'insufficient_scope')
      assertProblem(await edit({ name: 'x' }, reader), 403, 'insufficient_scope')
    })

    it('accepts ISO 4217 currencies in capital letters and IANA time zones, and reports everything that is wrong', async () => {
      assertInvalid(await edit({ currency: 'eur', timeZone: 'Middle/Earth', name: null, id: 1, updatedAt: null }), [
        ...['body /name wrong_type', 'body /currency not_allowed', 'body /timeZone invalid_time_zone'],
        ...['body /id unknown_field', 'body /updatedAt computed_field'],
      ])
      for (const [field, code, ...values] of [
        ['currency', 'not_allowed', 'XYZ', 'EURO', 'E', ' EUR', 'DEM'],
        ['timeZone', 'invalid_time_zone', '+02:00', 'CEST+1', ' UTC', 'Europe/Berlin ', 'x'.repeat(65)],
        // Names that Intl accepts but IANA doesn't list.
        ['timeZone', 'invalid_time_zone', 'BST', 'AST', 'pst', 'SystemV/AST4', 'US/Pacific-New'],
        ['name', 'too_long', 'x'.repeat(301)],
        ['address', 'too_long', 'x'.repeat(1001)],
        ['phone', 'too_long', 'x'.repeat(51)],
        ['taxId', 'too_long', 'x'.repeat(51)],
        ['email', 'invalid_email', 'x'],
      ] as const) {
        for (const value of values) assertInvalid(await edit({ [field]: value }), [`body /${field} ${code}`])
      }
      for (const field of ['currency', 'timeZone', 'taxId']) {
        assertInvalid(await edit({ [field]: null }), [`body /${field} wrong_type`])
      }
      for (const timeZone of ['Asia/Kolkata', 'America/Port-au-Prince', 'Etc/GMT+5', 'EST5EDT', 'GMT', 'UTC']) {
        for (const typed of [timeZone, timeZone.toLowerCase()]) {
          assert.equal((await edit({ timeZone: typed })).body.timeZone, timeZone)
        }
      }
      assert.equal((await edit({ timeZone: '' })).body.timeZone, 'UTC')
    })

    it('uses its time zone to date contracts sent without a date', async () => {
      const dates = []
      for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
        await edit({ timeZone })
        const { serviceDate, createdAt } = (await call('POST', '/contracts', aNewContract({ serviceFee: 0 }))).body
        assert.equal(serviceDate, dayAt(createdAt, timeZone))
        const file = 'clientId,serviceName,serviceType,serviceFee\n11111111-1111-1111-1111-111111111111,a,b,0\n'
        const headers = { 'content-type': 'text/csv', 'idempotency-key': timeZone }
        assert.equal((await call('POST', '/contracts.csv', file, headers)).body.created, 1)
        const [ofFile] = (await call('GET', '/contracts?limit=1')).body.contracts
        assert.equal(ofFile.serviceDate, dayAt(ofFile.createdAt, timeZone))
        dates.push(serviceDate)
      }
      assert.notEqual(dates[0], dates[1])
    })

    it('has a currency, set only once while there are contracts, that decides how reports round from then on', async () => {
      await call('POST', '/contracts', aBilled({ serviceFee: 10.505, taxPercent: 0 }))
      await call('POST', '/contracts', aBilled({ serviceFee: -0.5, taxPercent: 0 }))
      const before = await past(call)
      assert.deepEqual(await billedAt(call, before), ['10.01', '10.51', '-0.5'])
      assert.equal((await edit({ currency: 'JPY' })).body.currency, 'JPY')
      const after = await past(call)
      assert.deepEqual(await billedAt(call, after), ['10', '11', '-1'])
      assert.deepEqual(await billedAt(call, before), ['10.01', '10.51', '-0.5'])
      for (const currency of ['EUR', '']) {
        const refused = assertProblem(await edit({ currency, name: 'Never' }), 409, 'currency_fixed')
        assert.match(refused.detail, /JPY/)
      }
      assert.equal((await edit({ currency: 'JPY', name: 'As before' })).status, 200)
    })
  },
  { apiKeys },
)

overEachTransport('The currency of a firm without contracts', (call) => {
  it('can be corrected, and has up to four decimals', async () => {
    for (const currency of ['EUR', '', 'KWD', 'CLF']) {
      assert.equal((await call('PATCH', '/firm', { currency })).body.currency, currency)
    }
    await call('POST', '/contracts', aBilled({ serviceFee: 10.1234, taxPercent: 0.5 }))
    assert.deepEqual(await billedAt(call, await past(call)), ['10.174', '10.174'])
    assertProblem(await call('PATCH', '/firm', { currency: 'UYW' }), 409, 'currency_fixed')
  })
})
