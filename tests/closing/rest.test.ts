import assert from 'node:assert/strict'
import { SCOPES } from '../../shared/api-keys/scopes.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { overEachTransport, TEST_KEY, TEST_KEY_ID } from '../support/gateway-fixture.ts'
import { assertInvalid, assertInvalidRows, assertProblem } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'

const OVERRIDING_KEY = `mint_${'o'.repeat(30)}`
const scopes = SCOPES.filter((scope) => scope !== 'closing:override')
const apiKeys = staticApiKeys([
  { ...configuredKey(TEST_KEY), scopes, name: 'Bookkeeping' },
  configuredKey(OVERRIDING_KEY),
])
const overriding = (reason: string) => ({
  authorization: `Bearer ${OVERRIDING_KEY}`,
  'closing-override': encodeURIComponent(reason),
})
const EMPTY = { closedThrough: null, reason: null, at: null, by: null, byName: null }

overEachTransport(
  'The closing',
  (call) => {
    const close = async (closedThrough: string | null, reason = 'It is filed.', headers = {}) =>
      await call('PUT', '/closing', { closedThrough, reason }, headers)
    const on = (serviceDate: string, more = {}) => aNewContract({ serviceDate, ...more })
    const version = async () => (await call('GET', '/closing')).headers.get('etag')

    it('is empty, at version 0, until it is first set', async () => {
      const answer = await call('GET', '/closing')
      assert.deepEqual([answer.status, answer.body, answer.headers.get('etag')], [200, EMPTY, '"0"'])
      assert.deepEqual((await call('GET', '/closing/history')).body, { events: [], total: 0 })
      assertProblem(await close('2026-03-31', 'x', { 'if-match': '"1"' }), 412, 'precondition_failed')
    })

    it('is set with a reason and an author, and has every change in its history', async () => {
      const first = await close('2026-02-28', 'February is filed.', { 'if-match': '"0"' })
      const { at, ...rest } = first.body
      const closed = {
        closedThrough: '2026-02-28',
        reason: 'February is filed.',
        by: TEST_KEY_ID,
        byName: 'Bookkeeping',
      }
      assert.deepEqual([first.status, rest, first.headers.get('etag')], [200, closed, '"1"'])
      assert.match(at, /^\d{4}-\d{2}-\d{2}T/)
      assert.deepEqual((await call('GET', '/closing')).body, first.body)
      assert.equal((await call('GET', '/closing', undefined, { 'if-none-match': '"1"' })).status, 304)
      const same = await close('2026-02-28', 'February is filed.')
      assert.deepEqual([same.body, same.headers.get('etag')], [first.body, '"1"'])
      const opened = await close(null, 'A late invoice.')
      assert.deepEqual([opened.body.closedThrough, opened.headers.get('etag')], [null, '"2"'])
      const explained = await close(null, 'Two late invoices.')
      assert.deepEqual([explained.body.reason, explained.headers.get('etag')], ['Two late invoices.', '"3"'])
      const { events, total } = (await call('GET', '/closing/history')).body
      assert.deepEqual(
        [events, total],
        [
          [
            { version: 1, ...first.body },
            { version: 2, ...opened.body },
            { version: 3, ...explained.body },
          ],
          3,
        ],
      )
      assert.deepEqual((await call('GET', '/closing/history?offset=1&limit=1')).body.events, events.slice(1, 2))
    })

    it('refuses to create, edit or move contracts in the closed period, and names its last day', async () => {
      await close('2026-03-31')
      const open = (await call('POST', '/contracts', on('2026-04-01'))).body
      const refused = await call('POST', '/contracts', on('2026-03-31'))
      assertProblem(refused, 409, 'period_closed')
      assert.match(refused.body.detail, /2026-03-31/)
      assertProblem(await call('PATCH', `/contracts/${open.id}`, { serviceDate: '2026-03-31' }), 409, 'period_closed')
      await close('2026-04-01')
      assertProblem(await call('PATCH', `/contracts/${open.id}`, { serviceFee: 1 }), 409, 'period_closed')
      assertProblem(await call('PATCH', `/contracts/${open.id}`, { serviceDate: '2026-05-01' }), 409, 'period_closed')
      assert.deepEqual((await call('GET', `/contracts/${open.id}`)).body, open)
      const same = await call('PATCH', `/contracts/${open.id}`, { serviceFee: open.serviceFee })
      assert.deepEqual([same.status, same.body], [200, open])
    })

    it('allows writes with a closing:override key for a reason, recorded under its id', async () => {
      await close('2026-03-31')
      const reason = 'Nachgereicht: 100 % “zu spät” 😀'
      const created = await call('POST', '/contracts', on('2026-01-15'), overriding(reason))
      assert.equal(created.status, 201)
      const path = `/contracts/${created.body.id}`
      assert.equal((await call('PATCH', path, { serviceFee: 7 }, overriding('Plain words'))).status, 200)
      assertProblem(await call('PATCH', path, { serviceFee: 8 }), 409, 'period_closed')
      await close(null)
      assert.equal((await call('PATCH', path, { serviceFee: 9 }, overriding('Nothing is closed.'))).status, 200)
      const { events } = (await call('GET', `${path}/history`)).body
      assert.deepEqual(
        events.map(({ overrideReason }: { overrideReason: string | null }) => overrideReason),
        [reason, 'Plain words', null],
      )
      assert.equal(events[1].by, configuredKey(OVERRIDING_KEY).id)
      for (const { data, before } of events) assert.ok(!('overrideReason' in data) && !('overrideReason' in before))
      assert.ok(!('overrideReason' in (await call('GET', path)).body))
    })

    it('refuses a key with closing:override that gives no reason, and says how to', async () => {
      await close('2026-03-31')
      const headers = { authorization: `Bearer ${OVERRIDING_KEY}`, 'idempotency-key': 'a-reason-later' }
      const refused = await call('POST', '/contracts', on('2026-03-31'), headers)
      assertProblem(refused, 409, 'period_closed')
      assert.match(refused.body.detail, /closed through 2026-03-31\..* a reason in Closing-Override/)
      const again = await call('POST', '/contracts', on('2026-03-31'), { ...headers, ...overriding('One more.') })
      assert.equal(again.status, 201)
      const remembered = await call('POST', '/contracts', on('2026-03-31'), { ...headers, ...overriding('Another.') })
      assert.deepEqual([remembered.status, remembered.text], [201, again.text])
      assert.equal((await call('POST', '/contracts', on('2026-03-31'), headers)).text, again.text)
    })

    it('refuses a reason from a key without the scope, whether or not anything is closed', async () => {
      const headers = { 'closing-override': 'I may not.' }
      for (const date of ['2026-03-31', '2026-04-01']) {
        assertProblem(await call('POST', '/contracts', on(date), headers), 403, 'insufficient_scope')
      }
      const file = { ...headers, 'content-type': 'text/csv', 'idempotency-key': 'not-allowed' }
      assertProblem(await call('POST', '/contracts.csv', 'clientId', file), 403, 'insufficient_scope')
      const businesses = await call('POST', '/businesses', { legalName: 'No closing concerns it' }, headers)
      assert.equal(businesses.status, 201)
    })

    it('refuses a malformed reason', async () => {
      for (const header of ['', '%20%09', '%', '%zz', '%ff', 'sp\u00e4t', '%00', 'x'.repeat(501), '%E2%82'.repeat(3)]) {
        const headers = { authorization: `Bearer ${OVERRIDING_KEY}`, 'closing-override': header }
        const answer = await call('POST', '/contracts', on('2026-04-01'), headers)
        assertInvalid(answer, ['header /Closing-Override malformed_header'])
      }
      const longest = '😀'.repeat(500)
      assert.equal((await call('POST', '/contracts', on('2026-03-31'), overriding(longest))).status, 201)
    })

    it('still replays earlier answers under their Idempotency-Key', async () => {
      await close(null, 'Open.')
      const headers = { 'idempotency-key': 'before-the-closing' }
      const first = await call('POST', '/contracts', on('2026-01-20'), headers)
      await close('2026-03-31')
      const again = await call('POST', '/contracts', on('2026-01-20'), headers)
      assert.deepEqual([again.status, again.text], [201, first.text])
    })

    it('is set once under an Idempotency-Key, whatever was set since', async () => {
      const headers = { 'idempotency-key': 'close-April' }
      const first = await close('2026-04-30', 'April is filed.', headers)
      await close('2026-05-31', 'May is filed.')
      const again = await close('2026-04-30', 'April is filed.', headers)
      assert.deepEqual([again.text, again.headers.get('etag')], [first.text, first.headers.get('etag')])
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      assert.equal((await call('GET', '/closing')).body.closedThrough, '2026-05-31')
      assertProblem(await close('2026-06-30', 'June', headers), 409, 'idempotency_key_reused')
    })

    it('is set only at the version that If-Match names', async () => {
      const tag = await version()
      assertProblem(await close('2026-07-31', 'July', { 'if-match': '"999"' }), 412, 'precondition_failed')
      assert.equal(await version(), tag)
      assert.equal((await close('2026-07-31', 'July', { 'if-match': `${tag}` })).status, 200)
    })

    it('requires a calendar date or null, and a reason', async () => {
      const put = (body: object) => call('PUT', '/closing', body)
      assertInvalid(await put({ closedThrough: '2026-02-30', reason: 'x' }), ['body /closedThrough invalid_date'])
      assertInvalid(await put({}), ['body /closedThrough required', 'body /reason required'])
      const toReopen = await put({ closedThrough: '', reason: 'x' })
      assert.match(toReopen.body.errors[0].message, /^Not a date\. Give a calendar date .*, or null for none\.$/)
      assertInvalid(await put({ closedThrough: null, reason: ' ' }), ['body /reason blank'])
      assertInvalid(await put({ closedThrough: null, reason: 'x'.repeat(501) }), ['body /reason too_long'])
      assertInvalid(await put({ closedThrough: null, reason: 'x', by: 'me' }), ['body /by computed_field'])
    })

    it('refuses each row of a CSV file in the closed period, unless the row was imported before', async () => {
      await close('2026-01-31')
      const client = '22222222-2222-2222-2222-222222222222'
      const row = (date: string): string => `${client},a,b,1,${date}\n`
      const file = `clientId,serviceName,serviceType,serviceFee,serviceDate\n${row('2026-03-31')}${row('2026-02-01')}`
      const send = (key: string, more = {}, path = '/contracts.csv') =>
        call('POST', path, file, { 'content-type': 'text/csv', 'idempotency-key': key, ...more })
      assert.equal((await send('before')).body.created, 2)
      await close('2026-02-28')
      for (const path of ['/contracts.csv', '/contracts.csv?dryRun=true']) {
        assertInvalidRows(await send('after', {}, path), ['3 /serviceDate period_closed'])
      }
      assert.deepEqual((await send('before')).body, { rows: 2, created: 0, replayed: 2 })
      const withoutReason = await send('over', { authorization: `Bearer ${OVERRIDING_KEY}` })
      assertInvalidRows(withoutReason, ['3 /serviceDate period_closed'])
      const reason = overriding('Of a shoe box.')
      assert.deepEqual((await send('over', reason, '/contracts.csv?dryRun=true')).body.created, 2)
      assert.equal((await send('over', reason)).body.created, 2)
      const { contracts, total } = (await call('GET', `/contracts?clientId=${client}`)).body
      assert.equal(total, 4)
      const reasons = contracts
        .slice(0, 2)
        .map(
          async ({ id }: { id: number }) =>
            (await call('GET', `/contracts/${id}/history`)).body.events[0].overrideReason,
        )
      assert.deepEqual(new Set(await Promise.all(reasons)), new Set([null, 'Of a shoe box.']))
      await close(null)
    })
  },
  { apiKeys },
)
