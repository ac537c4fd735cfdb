import assert from 'node:assert/strict'
import fc from 'fast-check'
import { forAllAsync } from '../support/for-all.ts'
import { overEachTransport, TEST_KEY_ID } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'

interface HistoryEvent {
  readonly version: number
  readonly type: string
  readonly at: string
  readonly by: string
  readonly byName: string | null
  readonly data: Readonly<Record<string, unknown>>
  readonly before: Readonly<Record<string, unknown>>
}

const text = fc.string({ minLength: 1, maxLength: 5 }).map((some) => `${some}x`)
const money = fc.integer({ min: 0, max: 10_000_000 }).map((units) => units / 10_000)
const changesOf = <Fields extends Record<string, fc.Arbitrary<unknown>>>(fields: Fields) =>
  fc.array(fc.record(fields, { requiredKeys: [] }), { maxLength: 6 })

const edits = {
  '/contracts': changesOf({
    serviceName: text,
    serviceType: text,
    serviceFee: money,
    taxPercent: money,
    serviceDate: fc.constantFrom('2026-01-01', '2026-02-28'),
    notes: fc.constantFrom('', 'noted'),
  }),
  '/businesses': changesOf({
    legalName: text,
    operatedAs: fc.constantFrom('', 'Shop'),
    taxId: fc.constantFrom(null, '', 'T-1'),
    email: fc.constantFrom('', 'info@example.com'),
    ownershipType: fc.constantFrom('private', 'other'),
    incorporationDate: fc.constantFrom('', '2019-04-01'),
  }),
}
const news = { '/contracts': aNewContract(), '/businesses': { legalName: 'Acme Inc.' } }

overEachTransport('History', (call) => {
  const eventsOf = async (path: string): Promise<HistoryEvent[]> =>
    (await call('GET', `${path}/history?limit=100`)).body.events
  const fold = (events: readonly HistoryEvent[]) => Object.assign({}, ...events.map(({ data }) => data))

  it('of long texts is read in pieces, with the same result as event by event', async () => {
    const path = (await call('POST', '/contracts', aNewContract())).headers.get('location') ?? ''
    for (let edit = 1; edit <= 30; edit++) {
      await call('PATCH', path, { notes: String.fromCodePoint(0x1f400 + edit).repeat(10_000) })
    }
    const one = async (offset: number) => (await call('GET', `${path}/history?limit=1&offset=${offset}`)).body
    const each = await Promise.all(Array.from({ length: 29 }, (_, index) => one(index + 1)))
    const whole = await call('GET', `${path}/history?limit=29&offset=1`)
    assert.deepEqual(whole.body, { events: each.flatMap(({ events }) => events), total: 31 })
    assert.equal(whole.headers.get('content-length'), null, 'sent in pieces')
    assert.equal((await call('HEAD', `${path}/history?limit=29&offset=1`)).status, 200)
  })

  for (const kind of ['/contracts', '/businesses'] as const) {
    it(`of ${kind} folds to the record, now and as of any event, and names the fields that each event changed`, async () => {
      await forAllAsync([edits[kind]], { numRuns: 15 }, async (changes) => {
        const path = (await call('POST', kind, news[kind])).headers.get('location') ?? ''
        for (const change of changes) await call('PATCH', path, change)
        const { text, headers } = await call('GET', path)
        const events = await eventsOf(path)
        assert.deepEqual(fold(events), JSON.parse(text))
        assert.equal(headers.get('etag'), `"${events.length}"`)
        for (const { version, data, before } of events) {
          const earlier = fold(events.slice(0, version - 1))
          const fields = version === 1 ? [] : Object.keys(data)
          assert.deepEqual(before, Object.fromEntries(fields.map((field) => [field, earlier[field]])))
        }
        for (const { at } of events) {
          const until = events.filter((event) => event.at <= at)
          const then = await call('GET', `${path}?asOf=${at}`)
          assert.deepEqual(then.body, fold(until))
          assert.equal(then.headers.get('etag'), `"${until.length}"`)
        }
      })
    })

    it(`of ${kind} shows who changed what and when, with the previous values, oldest first`, async () => {
      const { body, headers } = await call('POST', kind, news[kind])
      const path = headers.get('location') ?? ''
      const field = kind === '/contracts' ? 'serviceName' : 'phone'
      const { body: edited } = await call('PATCH', path, { [field]: 'later' })
      const type = kind === '/contracts' ? 'Contract' : 'Business'
      const who = { by: TEST_KEY_ID, byName: 'configured', ...(kind === '/contracts' && { overrideReason: null }) }
      const expected = {
        events: [
          { version: 1, type: `${type}Created.v1`, at: body.createdAt, ...who, data: body, before: {} },
          {
            version: 2,
            type: `${type}Edited.v1`,
            at: edited.updatedAt,
            ...who,
            data: { [field]: 'later', updatedAt: edited.updatedAt },
            before: { [field]: body[field], updatedAt: body.updatedAt },
          },
        ],
        total: 2,
      }
      assert.equal((await call('GET', `${path}/history`)).text, JSON.stringify(expected))
    })
  }
})

overEachTransport('As of a moment', (call) => {
  async function contractWithVersions() {
    const { body: first, headers } = await call('POST', '/contracts', aNewContract({ notes: 'first' }))
    const path = headers.get('location') ?? ''
    // In the next millisecond or later, so that there is a moment between the two.
    while (Date.now() <= Date.parse(first.createdAt)) await call('GET', path)
    const { body: second } = await call('PATCH', path, { notes: 'second' })
    return { path, created: first.createdAt as string, edited: second.updatedAt as string }
  }
  const before = (moment: string) => new Date(Date.parse(moment) - 1).toISOString()

  it('a record is returned as it was then, before and including changes in that millisecond', async () => {
    const { path, edited } = await contractWithVersions()
    for (const [asOf, notes] of [
      [before(edited), 'first'],
      [edited.replace('Z', '999Z'), 'second'],
      ['9999-12-31T23:59:59Z', 'second'],
    ] as const) {
      assert.equal((await call('GET', `${path}?asOf=${asOf}`)).body.notes, notes, asOf)
    }
  })

  it('a record is not found before its creation, or with an unknown id', async () => {
    const { path, created } = await contractWithVersions()
    assertProblem(await call('GET', `${path}?asOf=${before(created)}`), 404, 'not_found')
    assertProblem(await call('GET', `${path}?asOf=0001-01-01T00:00:00Z`), 404, 'not_found')
    assertProblem(await call('GET', `/contracts/999999?asOf=${created}`), 404, 'not_found')
  })

  it('If-None-Match is checked against the version at that time', async () => {
    const { path, created } = await contractWithVersions()
    const get = (tag: string) => call('GET', `${path}?asOf=${created}`, undefined, { 'if-none-match': tag })
    assert.equal((await get('"1"')).status, 304)
    assert.equal((await get('"2"')).status, 200)
  })

  it('asOf must be a timestamp, and an error explains how to encode a + that was lost', async () => {
    const { path } = await contractWithVersions()
    for (const asOf of ['', 'now', '2026-01-31', '2026-01-31T09:30:00']) {
      assertInvalid(await call('GET', `${path}?asOf=${asOf}`), ['query /asOf invalid_timestamp'])
    }
    const { body } = await call('GET', `${path}?asOf=2026-01-31T09:30:00+01:00`)
    assert.match(body.errors[0].message, /write \+ as %2B/)
  })
})
