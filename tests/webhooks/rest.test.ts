import assert from 'node:assert/strict'
import { openWebhooks } from '../../gateway/webhooks/open.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { newRequestId } from '../../shared/calls/ids.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { createMetrics } from '../../shared/runtime/metrics/metrics.ts'
import { createWebhookAdministration } from '../../shared/webhooks/administration.ts'
import { sealingWith } from '../../shared/webhooks/secret.ts'
import { gatewayViews } from '../../shared/webhooks/view.ts'
import { atEnd } from '../support/cleanup.ts'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { emptyServices } from '../support/empty-services.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { madeUpFeed } from '../support/made-up-feed.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { startReceiver } from '../support/receiver.ts'
import { restClient } from '../support/rest.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'
import { waitFor } from '../support/wait-for.ts'

const url = 'https://example.com/mint'
const UNKNOWN = '/webhooks/0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'

/** The database, and a way to write right before its next append. */
function withRace(database: Database) {
  let write: (() => Promise<unknown>) | undefined
  const append: Database['events']['append'] = async (commit) => {
    const first = write
    write = undefined
    await first?.()
    return await database.events.append(commit)
  }
  const beforeNextAppend = (other: () => Promise<unknown>): void => {
    write = other
  }
  return { database: { ...database, events: { ...database.events, append } }, beforeNextAppend }
}

describeOnDatabases('/webhooks', (open) => {
  async function newGateway(
    { networks = [], key }: { networks?: string[]; key?: string | undefined } = { key: 'a key' },
  ) {
    const { database, beforeNextAppend } = withRace((await open(gatewayViews)).database)
    const feed = madeUpFeed()
    const logger = quietLogger()
    const webhooks = atEnd.stop(
      openWebhooks({
        feed: () => ({
          read: (query) => feed.read(query),
          beyond: (cursor) => feed.beyond(cursor),
          mustRest: () => false,
          isStopping: () => false,
          stop: () => undefined,
        }),
        sealing: sealingWith(key),
        allowedNetworks: networks,
        holder: 'test',
        logger,
        metrics: createMetrics(logger),
      }),
    )
    webhooks.start(database)
    const limited = {
      ...configuredKey('mint_contracts_only_________'),
      scopes: ['webhooks:admin', 'contracts:read'] as const,
    }
    const other = { ...configuredKey('mint_without_scope__________'), scopes: ['keys:admin'] as const }
    const apiKeys = staticApiKeys([configuredKey(TEST_KEY), limited, other])
    const gateway = atEnd.stop(
      await startGateway(emptyServices, { ...webhooks, apiKeys, timeouts: { service: 30_000 } }),
    )
    const as = (secret: string) => restClient({ url: `http://127.0.0.1:${gateway.port}`, key: secret })
    return {
      call: gateway.call,
      limited: as('mint_contracts_only_________'),
      other: as('mint_without_scope__________'),
      database,
      beforeNextAppend,
      feed,
    }
  }

  it('POST creates a webhook, and shows its secret in this answer only', async () => {
    const { call, database } = await newGateway()
    const answer = await call('POST', '/webhooks', { url })
    assert.equal(answer.status, 201)
    const { secret, ...webhook } = answer.body
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const { id, createdAt } = webhook
    assert.deepEqual(webhook, {
      ...{ id, url, types: [], description: '', paused: false, pausedReason: null },
      ...{ createdAt, updatedAt: createdAt, lastDeliveredAt: null, lastFailure: null, waiting: 0 },
    })
    assert.equal(answer.headers.get('location'), `/webhooks/${id}`)
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    assert.deepEqual((await call('GET', `/webhooks/${id}`)).body, webhook)
    assert.deepEqual((await call('GET', '/webhooks')).body, { webhooks: [webhook], total: 1 })
    const stored = JSON.stringify(await database.events.readAll(0 as never, 10))
    assert.ok(!stored.includes(secret.slice(6)), 'it is sealed in the log')
  })

  it('PATCH edits, pauses and resumes, and changes nothing if the values are the same', async () => {
    const { call } = await newGateway()
    const { id } = (await call('POST', '/webhooks', { url })).body
    const changes = { url: 'https://example.com/other', types: ['mint.firm.edited.v1'], description: 'Books' }
    const edited = (await call('PATCH', `/webhooks/${id}`, changes)).body
    assert.deepEqual({ ...edited, ...changes }, edited)
    assert.deepEqual((await call('PATCH', `/webhooks/${id}`, changes)).body, edited)
    const paused = (await call('PATCH', `/webhooks/${id}`, { paused: true })).body
    assert.deepEqual([paused.paused, paused.pausedReason], [true, 'manual'])
    const resumed = (await call('PATCH', `/webhooks/${id}`, { paused: false })).body
    assert.deepEqual([resumed.paused, resumed.pausedReason], [false, null])
    const merge = { 'content-type': 'application/merge-patch+json' }
    assert.equal((await call('PATCH', `/webhooks/${id}`, { description: '' }, merge)).body.description, '')
  })

  it('DELETE removes a webhook, and unknown ones are not found', async () => {
    const { call } = await newGateway()
    const { id } = (await call('POST', '/webhooks', { url })).body
    assert.equal((await call('DELETE', `/webhooks/${id}`)).status, 204)
    for (const path of [`/webhooks/${id}`, UNKNOWN]) {
      assertProblem(await call('GET', path), 404, 'not_found')
      assertProblem(await call('DELETE', path), 404, 'not_found')
      assertProblem(await call('PATCH', path, { paused: true }), 404, 'not_found')
      assertProblem(await call('POST', `${path}/rotate`), 404, 'not_found')
      assertProblem(await call('POST', `${path}/test`), 404, 'not_found')
      assertProblem(await call('POST', `${path}/replay`, { since: '2026-01-01T00:00:00Z' }), 404, 'not_found')
      assertProblem(await call('GET', `${path}/deliveries`), 404, 'not_found')
    }
    assert.deepEqual((await call('GET', '/webhooks')).body, { webhooks: [], total: 0 })
  })

  it('allows at most a hundred webhooks, even if more are created concurrently', async () => {
    const { call } = await newGateway()
    const createAtOnce = async (length: number) =>
      (await Promise.all(Array.from({ length }, () => call('POST', '/webhooks', { url })))).map(({ status }) => status)
    for (let round = 0; round < 9; round++) assert.deepEqual(await createAtOnce(10), Array(10).fill(201))
    assert.deepEqual((await createAtOnce(20)).sort(), [...Array(10).fill(201), ...Array(10).fill(409)])
    assertProblem(await call('POST', '/webhooks', { url }), 409, 'too_many_webhooks')
    assert.equal((await call('GET', '/webhooks')).body.total, 100)
    const { id } = (await call('GET', '/webhooks')).body.webhooks[0]
    await call('DELETE', `/webhooks/${id}`)
    assert.equal((await call('POST', '/webhooks', { url })).status, 201)
  }).timeout(90_000)

  it('refuses malformed URLs, and http except to an allowed network', async () => {
    const { call } = await newGateway()
    const wrong = [
      'http://example.com/',
      'https://user@example.com/',
      'https://:pass@example.com/',
      'ftp://example.com',
    ]
    const mended = [' https://example.com', 'https://example.com/\n', 'https:example.com', 'https:\\\\example.com']
    for (const one of [...wrong, ...mended, 'example.com', 'https://', 'https://exa mple.com', 'javascript:alert(1)']) {
      assertInvalid(await call('POST', '/webhooks', { url: one }), ['body /url invalid_url'])
    }
    const { body } = await call('POST', '/webhooks', { url: 'http://10.1.2.3/' })
    assert.match(body.errors[0].message, /https \(http needs WEBHOOK_ALLOWED_NETWORKS\)/)
    assertInvalid(await call('POST', '/webhooks', { url: `https://example.com/${'x'.repeat(2_000)}` }), [
      'body /url too_long',
    ])
    const { call: named } = await newGateway({ networks: ['10.0.0.0/8'], key: 'a key' })
    assert.equal((await named('POST', '/webhooks', { url: 'http://10.1.2.3/' })).status, 201)
    assertInvalid(await named('POST', '/webhooks', { url: 'http://user:pass@10.1.2.3/' }), ['body /url invalid_url'])
  })

  it('reports everything that is wrong with a request', async () => {
    const { call } = await newGateway()
    const wrong = { types: ['mint.x.v1'], description: 1, secret: 's', paused: true }
    const answer = await call('POST', '/webhooks', wrong)
    assert.match(answer.body.errors[0].message, /^Required, but missing\. Give a URL with https /)
    assertInvalid(answer, [
      'body /url required',
      'body /types/0 not_allowed',
      'body /description wrong_type',
      'body /secret computed_field',
      'body /paused unknown_field',
    ])
    const twice = ['mint.firm.edited.v1', 'mint.firm.edited.v1']
    assertInvalid(await call('POST', '/webhooks', { url, types: twice }), ['body /types given_twice'])
    const andUnknown = { url, types: [...twice, 'x'] }
    assertInvalid(await call('POST', '/webhooks', andUnknown), ['body /types/2 not_allowed', 'body /types given_twice'])
    const { id } = (await call('POST', '/webhooks', { url })).body
    assertInvalid(await call('PATCH', `/webhooks/${id}`, { paused: null }), ['body /paused wrong_type'])
    assertInvalid(await call('POST', `/webhooks/${id}/replay`, {}), ['body /since required'])
    assertInvalid(await call('POST', `/webhooks/${id}/test`, { types: [] }), ['body /types unknown_field'])
    assertInvalid(await call('POST', `/webhooks/${id}/rotate`, { graceSeconds: -1 }), [
      'body /graceSeconds out_of_range',
    ])
    assertInvalid(await call('POST', '/webhooks', { url }, { 'idempotency-key': 'x' }), [
      'header /Idempotency-Key malformed_header',
    ])
  })

  it('refuses If-Match, as webhooks have no versions, and changes nothing', async () => {
    const { call } = await newGateway()
    const { id } = (await call('POST', '/webhooks', { url })).body
    const { body: before } = await call('GET', `/webhooks/${id}`)
    for (const tags of ['"1"', '*', '1']) {
      for (const [method, body] of [
        ['PATCH', { description: 'Edited' }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await call(method, `/webhooks/${id}`, body, { 'if-match': tags })
        assertInvalid(answer, ['header /If-Match malformed_header'])
      }
    }
    assert.deepEqual((await call('GET', `/webhooks/${id}`)).body, before)
  })

  it('requires webhooks:admin, and to create or change a webhook, the read scopes of its types', async () => {
    const { call, limited, other } = await newGateway()
    assertProblem(await other('GET', '/webhooks'), 403, 'insufficient_scope')
    const contracts = ['mint.contract.created.v1', 'mint.closing.changed.v1']
    assertProblem(await limited('POST', '/webhooks', { url }), 403, 'insufficient_scope')
    assertProblem(
      await limited('POST', '/webhooks', { url, types: ['mint.business.edited.v1'] }),
      403,
      'insufficient_scope',
    )
    const { id } = (await limited('POST', '/webhooks', { url, types: contracts })).body
    assert.equal((await limited('PATCH', `/webhooks/${id}`, { description: 'Mine' })).status, 200)
    assertProblem(await limited('PATCH', `/webhooks/${id}`, { types: [] }), 403, 'insufficient_scope')
    const all = (await call('POST', '/webhooks', { url })).body
    assertProblem(
      await limited('PATCH', `/webhooks/${all.id}`, { url: 'https://evil.example/' }),
      403,
      'insufficient_scope',
    )
    assert.equal((await limited('GET', `/webhooks/${all.id}`)).status, 200)
  })

  it('requires those scopes for the types that it has when it is changed, not those that it had shortly before', async () => {
    const { call, limited, database, beforeNextAppend } = await newGateway()
    const { id } = (await call('POST', '/webhooks', { url, types: ['mint.closing.changed.v1'] })).body
    const elsewhere = createWebhookAdministration({
      ...{ database, clock: Date.now, sealing: sealingWith('a key'), feedEnd: async () => '' },
    })
    const context = toCommandContext({ actor: 'another gateway', requestId: newRequestId() })
    beforeNextAppend(() => elsewhere.change(id, { types: [] }, context))
    const other = 'https://evil.example/'
    assertProblem(await limited('PATCH', `/webhooks/${id}`, { url: other }), 403, 'insufficient_scope')
    assert.equal((await call('GET', `/webhooks/${id}`)).body.url, url)
  })

  it('delivers, tests, rotates and replays, and lists the deliveries', async () => {
    const { call, feed } = await newGateway({ networks: ['127.0.0.1'], key: 'a key' })
    const receiver = atEnd.stop(await startReceiver())
    const { id, secret } = (await call('POST', '/webhooks', { url: receiver.url })).body
    receiver.state.secret = secret
    const { status, body } = await call('POST', `/webhooks/${id}/test`)
    assert.equal(status, 202)
    await waitFor(() => receiver.received.length === 1)
    assert.equal(receiver.received[0]?.headers['webhook-id'], body.eventId)
    const since = new Date().toISOString()
    feed.add('7')
    await waitFor(() => receiver.received.length === 2)
    assert.equal((await call('POST', `/webhooks/${id}/replay`, { since })).status, 202)
    await waitFor(() => receiver.received.length === 3)
    const rotated = await call('POST', `/webhooks/${id}/rotate`, { graceSeconds: 60 })
    assert.equal(rotated.status, 201)
    assert.notEqual(rotated.body.secret, secret)
    const { deliveries, total } = await waitFor(async () => {
      const { body: found } = await call('GET', `/webhooks/${id}/deliveries`)
      return found.total === 3 && found
    })
    assert.equal(total, 3)
    const { at, milliseconds, ...delivery } = deliveries[0]
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 10_000 && milliseconds >= 0)
    assert.deepEqual(delivery, {
      ...{ eventId: 'mint/contracts/1', type: 'mint.contract.created.v1', subject: '7', attempt: 1 },
      ...{ status: 204, reason: null, nextAttemptAt: null },
    })
    const webhook = (await call('GET', `/webhooks/${id}`)).body
    assert.ok(Math.abs(Date.parse(webhook.lastDeliveredAt) - Date.now()) < 10_000)
    assert.equal(receiver.state.unverified, 0)
  })

  it('creates no webhook without a key to encrypt its secret', async () => {
    const { call } = await newGateway({ key: undefined })
    assertProblem(await call('POST', '/webhooks', { url }), 503, 'unavailable')
  })
})
