import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import fc from 'fast-check'
import type { Scope } from '../../shared/api-keys/scopes.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { EVENT_TYPES } from '../../shared/events/types.ts'
import { assertInOrder, readFeed } from '../support/feed.ts'
import { forAllAsync } from '../support/for-all.ts'
import { overEachTransport, TEST_KEY, TEST_KEY_ID } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { aNewContract, create, OVERRIDING, restClient } from '../support/rest.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'

const keyWith = (name: string, scopes: readonly Scope[]) => {
  const secret = `mint_feed-${name}`
  return { secret, key: { ...configuredKey(secret), name, scopes } }
}
const OF_CONTRACTS = keyWith('contracts', ['contracts:read'])
const OF_BUSINESSES = keyWith('businesses', ['businesses:read', 'businesses:write'])
const OF_NEITHER = keyWith('neither', ['clients:read', 'operations:read'])
const KEYS = [OF_CONTRACTS, OF_BUSINESSES, OF_NEITHER].map(({ key }) => key)
const apiKeys = staticApiKeys([configuredKey(TEST_KEY), ...KEYS])

overEachTransport(
  'The feed',
  (call, mint) => {
    const as = ({ secret }: { secret: string }) => restClient({ url: `http://127.0.0.1:${mint().port}`, key: secret })
    const now = async (): Promise<string> => (await call('GET', '/events?after=now')).body.next
    const since = async (cursor: string) => (await readFeed(call, { after: cursor })).events

    it('has each change once, as an envelope with the record as its REST path shows it', async () => {
      const start = await now()
      const business = await create(call, '/businesses', { legalName: 'Acme Inc.' })
      const contract = await create(call, '/contracts', { ...aNewContract(), serviceFee: 100 })
      await call('PUT', '/closing', { closedThrough: '2020-01-31', reason: 'Filed.' })
      const edited = (await call('PATCH', `/contracts/${contract.id}`, { serviceFee: 200 }, OVERRIDING)).body
      const firm = (await call('PATCH', '/firm', { name: 'Harbour' })).body
      const closing = (await call('GET', '/closing')).body
      const events = await since(start)
      assert.deepEqual(
        events.map(({ type, subject, recordversion }) => [type, subject, recordversion]),
        [
          ['mint.business.created.v1', business.id, 1],
          ['mint.contract.created.v1', String(contract.id), 1],
          ['mint.closing.changed.v1', 'contracts', 1],
          ['mint.contract.edited.v1', String(contract.id), 2],
          ['mint.firm.edited.v1', 'firm', 1],
        ],
      )
      const data = events.map(({ data: { version: _version, ...data } }) => data)
      assert.deepEqual(data, [business, contract, closing, edited, firm])
      for (const event of events) {
        assert.deepEqual([event.actor, event.actorname], [TEST_KEY_ID, 'configured'])
        assert.equal(event.recordversion, event.data.version)
        assert.match(event.id, new RegExp(`^${event.source}/\\d+$`))
      }
      assert.equal(events[3].changed, 'serviceFee,totalFeeWithTax,updatedAt')
      assert.equal('overridereason' in events[1], false)
      await call('PUT', '/closing', { closedThrough: null, reason: 'Done.' })
    })

    it('is the union of all histories, whatever the limit, under concurrent writers', async () => {
      const write = async (name: string) => {
        const { id } = await create(call, '/contracts', { ...aNewContract(), serviceName: name })
        await create(call, '/businesses', { legalName: name })
        for (const notes of ['one', 'two']) await call('PATCH', `/contracts/${id}`, { notes })
      }
      await Promise.all(Array.from({ length: 8 }, (_, index) => write(`Writer ${index}`)))
      const { events, next } = await readFeed(call, { limit: 7 })
      assertInOrder(events)
      assert.deepEqual((await readFeed(call, { limit: 1_000 })).events, events)
      assert.deepEqual(await since(next), [])
      const total = async (path: string): Promise<number> => (await call('GET', path)).body.total
      const histories = []
      for (const path of ['/contracts', '/businesses']) {
        for (const { id } of (await call('GET', `${path}?limit=100`)).body[path.slice(1)]) {
          histories.push(await total(`${path}/${id}/history`))
        }
      }
      const others = await Promise.all(['/closing/history', '/firm/history'].map(total))
      assert.equal(
        events.length,
        [...histories, ...others].reduce((sum, count) => sum + count),
      )
    })

    it('filtered is the matching part of the whole feed', async () => {
      const other = as(OF_BUSINESSES)
      await create(other, '/businesses', { legalName: 'By another key' })
      const { events: all } = await readFeed(call, { limit: 1_000 })
      const times = [...new Set(all.map(({ time }): string => time))]
      const filters = fc.record(
        {
          types: fc.subarray(Object.keys(EVENT_TYPES), { minLength: 1 }).map((types) => types.join()),
          by: fc.constantFrom(TEST_KEY_ID, OF_BUSINESSES.key.id, 'nobody'),
          since: fc.constantFrom(...times),
          until: fc.constantFrom(...times),
          limit: fc.integer({ min: 1, max: 50 }),
        },
        { requiredKeys: [] },
      )
      await forAllAsync([filters], { numRuns: 30 }, async (query) => {
        const { events } = await readFeed(call, query as Record<string, string>)
        const { types = '', by, since = '', until = '9999' } = query
        const expected = all.filter(
          ({ type, actor, time }) =>
            (types === '' || types.split(',').includes(type)) &&
            (by === undefined || actor === by) &&
            time >= since &&
            time <= until,
        )
        assert.deepEqual(events, expected)
      })
      const { id } = OF_BUSINESSES.key
      const [lower, upper] = [await readFeed(call, { by: id }), await readFeed(call, { by: id.toUpperCase() })]
      assert.ok(lower.events.length > 0)
      assert.deepEqual(upper, lower)
    })

    it('shows a key what its scopes may read, and keeps its position in the rest', async () => {
      const whole = await readFeed(call)
      const ofContracts = await readFeed(as(OF_CONTRACTS))
      const ofBusinesses = await readFeed(as(OF_BUSINESSES))
      assert.deepEqual(
        ofContracts.events,
        whole.events.filter(({ source }) => source === 'mint/contracts'),
      )
      assert.deepEqual(
        ofBusinesses.events,
        whole.events.filter(({ source }) => source === 'mint/businesses'),
      )
      await create(call, '/contracts', aNewContract())
      await create(call, '/businesses', { legalName: 'Later' })
      const contractsRead = await readFeed(as(OF_CONTRACTS), { after: whole.next })
      assert.equal(contractsRead.events.length, 1)
      const rest = await since(contractsRead.next)
      assert.deepEqual(
        rest.map(({ type }) => type),
        ['mint.business.created.v1'],
      )
      // A key with more scopes gets from the beginning what the other one could never read.
      const added = await since(ofContracts.next)
      assert.equal(added.length, ofBusinesses.events.length + 2)
    })

    it('refuses types outside a key’s scopes, keys that may read nothing, and cursors that are not its own', async () => {
      const path = '/events?types=mint.business.created.v1'
      const refused = await as(OF_CONTRACTS)('GET', path)
      assertProblem(refused, 403, 'insufficient_scope')
      assert.match(refused.body.detail, /need the scope businesses:read\. Use a key that has it, or leave them out/)
      assertProblem(await as(OF_NEITHER)('GET', '/events'), 403, 'insufficient_scope')
      assert.equal((await as(OF_BUSINESSES)('GET', path)).status, 200)
      assertInvalid(await call('GET', '/events?types=mint.contract.created.v1,unknown'), ['query /types not_allowed'])
      assertInvalid(await call('GET', '/events?types=mint.client.created.v1'), ['query /types not_allowed'])
      const cursor = await now()
      const { contracts } = JSON.parse(Buffer.from(cursor, 'base64url').toString())
      const [position, check] = contracts.split('.')
      const forged = [`${position - 1}.${check}`, `${position + 1}.${check}`, `${position}.aaaaaaaaaaa`, 'x', position]
      const cursors = forged.map((text) => Buffer.from(JSON.stringify({ contracts: text })).toString('base64url'))
      for (const after of [...cursors, 'no-cursor', 'eyJvdGhlciI6IjAifQ', 'NOW']) {
        assertInvalid(await call('GET', `/events?after=${after}`), ['query /after unknown_cursor'])
      }
      assertInvalid(await call('GET', '/events?limit=1001&wait=31&since=yesterday&by='), [
        'query /limit out_of_range',
        'query /by blank',
        'query /since invalid_timestamp',
        'query /wait out_of_range',
      ])
      const { errors } = (await call('GET', '/events?after=&types=')).body
      assert.deepEqual(
        errors.map(({ message }: { message: string }) => message),
        [
          'Empty or only white space. Give the `next` of an earlier answer, or `now`.',
          `Empty or only white space. Give some of, separated by commas: ${Object.keys(EVENT_TYPES).join(', ')}.`,
        ],
      )
    })

    it('waits for the first event, and answers soon after it was written', async () => {
      const delays: number[] = []
      for (let index = 0; index < 9; index++) {
        const cursor = await now()
        const waiting = call('GET', `/events?after=${cursor}&wait=20`).then(
          (answer) => [answer, performance.now()] as const,
        )
        await new Promise((resolve) => setTimeout(resolve, 100))
        const { id } = await create(call, '/contracts', aNewContract())
        const written = performance.now()
        const [{ body }, answered] = await waiting
        assert.deepEqual(
          body.events.map(({ subject }: { subject: string }) => subject),
          [String(id)],
        )
        delays.push(answered - written)
      }
      assert.ok((delays.sort((a, b) => a - b)[4] ?? 0) < 500, `${delays}`)
    })

    it('keeps waiting while nothing matches, but no longer than requested', async () => {
      const cursor = await now()
      const query = `after=${cursor}&types=mint.firm.edited.v1`
      const started = performance.now()
      const waiting = call('GET', `/events?${query}&wait=1`)
      await create(call, '/contracts', aNewContract())
      const { body } = await waiting
      assert.deepEqual([body.events, body.more], [[], false])
      assert.ok(performance.now() - started >= 990)
      assert.notEqual(body.next, cursor)
    })

    it('lets a key wait with more requests than it may have reads at a time', async () => {
      const cursor = await now()
      const waiting = Array.from({ length: 50 }, () => call('GET', `/events?after=${cursor}&wait=20&limit=1000`))
      await new Promise((resolve) => setTimeout(resolve, 200))
      assert.equal((await call('GET', '/contracts?limit=1')).status, 200)
      const { id } = await create(call, '/contracts', aNewContract())
      for (const { body } of await Promise.all(waiting)) assert.equal(body.events[0].subject, String(id))
    })
  },
  { apiKeys },
)
