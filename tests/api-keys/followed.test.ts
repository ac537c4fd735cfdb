import assert from 'node:assert/strict'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { hashSecret } from '../../shared/api-keys/secret.ts'
import { openKeys } from '../../shared/api-keys/serving/open.ts'
import { followStoredKeys } from '../../shared/api-keys/serving/stored-keys.ts'
import { apiKeyViews } from '../../shared/api-keys/view.ts'
import { newUuid } from '../../shared/calls/ids.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import { type EventStore, StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import { atEnd } from '../support/cleanup.ts'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { describeOn, mongoEngine } from '../support/engines.ts'
import { startKeysGateway } from '../support/keys-gateway.ts'
import { temporaryDatabase } from '../support/mongo-database.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { troubledNetwork } from '../support/troubled-network.ts'
import { waitFor } from '../support/wait-for.ts'

const MAX_DELAY_MILLISECONDS = 5_000
const reader = { name: 'Reader', scopes: ['contracts:read'] }

describeOn(mongoEngine(), 'API keys with two gateways', (url) => {
  /** Two gateways with separate connections to one database; the second can be made to miss wake-ups. */
  async function twoGateways() {
    const name = temporaryDatabase(url)
    const network = troubledNetwork()
    const open = async () =>
      atEnd.close(await openMongoDatabase({ url, name, views: apiKeyViews, viewsFolder: newFolder() }))
    const one = atEnd.stop(await startKeysGateway(await open()))
    const other = atEnd.stop(await startKeysGateway(network.between(await open())))
    return { one, other, trouble: network.trouble }
  }

  for (const deaf of [false, true]) {
    const how = deaf ? 'even without a wake-up' : 'woken by the log'
    it(`a revoked key and a replaced secret are refused by both within 5 s, ${how}`, async () => {
      const { one, other, trouble } = await twoGateways()
      trouble.deaf = deaf
      const revoked = (await one.call('POST', '/api-keys', reader)).body
      const rotated = (await one.call('POST', '/api-keys', reader)).body
      const statusOf = async ({ as }: typeof one, { key }: { key: string }) =>
        (await as(key)('GET', '/contracts')).status
      for (const key of [revoked, rotated]) assert.equal(await statusOf(other, key), 200)

      await one.call('DELETE', `/api-keys/${revoked.id}`)
      await one.call('POST', `/api-keys/${rotated.id}/rotate`)
      const since = Date.now()
      for (const key of [revoked, rotated]) {
        assert.equal(await statusOf(one, key), 401)
        await waitFor(async () => (await statusOf(other, key)) === 401, { timeout: MAX_DELAY_MILLISECONDS })
      }
      assert.ok(Date.now() - since < MAX_DELAY_MILLISECONDS)
    })
  }

  it('a key works through the other gateway as soon as its creation is acknowledged', async () => {
    const { one, other, trouble } = await twoGateways()
    trouble.deaf = true
    for (let times = 0; times < 5; times++) {
      const { key } = (await one.call('POST', '/api-keys', reader)).body
      assert.equal((await other.as(key)('GET', '/contracts')).status, 200)
    }
  })

  it('the last use of a key is its latest use through either gateway', async () => {
    const { one, other } = await twoGateways()
    const { key, id } = (await one.call('POST', '/api-keys', reader)).body
    await one.as(key)('GET', '/contracts')
    const between = Date.now()
    await waitFor(() => Date.now() > between)
    await other.as(key)('GET', '/contracts')
    await other.keys.stop()
    await one.keys.stop()
    const { lastUsedAt } = await one.keys.administration().find(id)
    assert.ok(lastUsedAt && lastUsedAt > between && lastUsedAt <= Date.now())
  })
})

describeOnDatabases('API keys while their store is down', (open) => {
  it('an unknown key gets 503 rather than 401, and the configured one keeps working', async () => {
    const network = troubledNetwork()
    const { call, as, stop } = await startKeysGateway(network.between((await open(apiKeyViews)).database))
    atEnd(stop)
    network.trouble.away = true
    for (const secret of ['mint_unknown-but-long-enough', 'no key at all']) {
      const answer = await as(secret)('GET', '/contracts')
      assertProblem(answer, 503, 'unavailable')
      assert.ok(answer.headers.get('retry-after'))
    }
    assertProblem(await call('GET', '/contracts', undefined, { authorization: undefined }), 401, 'missing_api_key')
    assert.equal((await call('GET', '/contracts')).status, 200)
    assertProblem(await call('POST', '/api-keys', reader), 503, 'unavailable')
    network.trouble.away = false
    assertProblem(await as('mint_unknown-but-long-enough')('GET', '/contracts'), 401, 'invalid_api_key')
  })

  it('an answer of outcome_unknown does not suggest a retry with an Idempotency-Key', async () => {
    const network = troubledNetwork()
    const gateway = await startKeysGateway(network.between((await open(apiKeyViews)).database), { patience: 300 })
    atEnd(gateway.stop)
    Object.assign(network.trouble, { losesAnswers: 1, goesAwayThen: true })
    const { detail } = assertProblem(await gateway.call('POST', '/api-keys', reader), 503, 'outcome_unknown')
    assert.doesNotMatch(detail, /Idempotency-Key/)
    network.trouble.away = false
    assert.equal((await gateway.call('GET', '/api-keys')).body.total, 1)
  })

  it('a known key is accepted only while a revocation through another gateway would be noticed', async () => {
    const { database } = await open(apiKeyViews)
    const { call, stop } = await startKeysGateway(database)
    atEnd(stop)
    const { key, id } = (await call('POST', '/api-keys', reader)).body
    const network = troubledNetwork()
    const reliableMilliseconds = 1_000
    const { events } = network.between(database)
    const parts = { events, clock: Date.now, logger: quietLogger(), pollMilliseconds: 50, reliableMilliseconds }
    const stored = atEnd.stop(followStoredKeys(parts))
    const find = () => stored.find(hashSecret(key))
    await stored.catchUp()
    network.trouble.away = true
    const awaySince = performance.now()
    assert.equal((await find())?.id, id)
    const refused = () =>
      find().then(
        () => false,
        (error) => error instanceof StoreUnavailable,
      )
    await waitFor(refused)
    assert.ok(performance.now() - awaySince >= reliableMilliseconds / 2)
    network.trouble.away = false
    assert.equal((await find())?.id, id)
  })

  it('a known key is not accepted after too slow a read of its log, which may have missed a revocation', async () => {
    const { database } = await open(apiKeyViews)
    const { call, stop } = await startKeysGateway(database)
    atEnd(stop)
    const { key } = (await call('POST', '/api-keys', reader)).body
    const reliableMilliseconds = 100
    const events: EventStore = {
      ...database.events,
      async readAll(...range) {
        const [read, since] = [await database.events.readAll(...range), performance.now()]
        await waitFor(() => performance.now() > since + reliableMilliseconds, { what: 'the time to pass' })
        return read
      },
    }
    const stored = atEnd.stop(
      followStoredKeys({ events, clock: Date.now, logger: quietLogger(), reliableMilliseconds }),
    )
    await stored.catchUp()
    assert.deepEqual([stored.holder(hashSecret(key))?.name, stored.known(hashSecret(key))], [reader.name, undefined])
  })

  it('people’s keys are forgotten once they have ended, and their later revocation disturbs nobody', async () => {
    const { database } = await open(apiKeyViews)
    const { call, keys, stop } = await startKeysGateway(database)
    atEnd(stop)
    const context = () => toCommandContext({ actor: 'test', requestId: 'test' })
    const signIn = async (milliseconds = 60_000) => {
      const [person, expiresAt] = [newUuid(), Date.now() + milliseconds]
      const key = { name: `Ann ${person}`, scopes: [], expiresAt, person }
      return { ...(await keys.administration().create(key, context())), person }
    }
    const [expired, signedOut] = [await signIn(), await signIn()]
    await keys.administration().revoke(signedOut.apiKey.id, context())
    const program = (await call('POST', '/api-keys', { ...reader, expiresAt: '2999-01-01T00:00:00.000Z' })).body
    let now = Date.now()
    const stored = atEnd.stop(followStoredKeys({ events: database.events, clock: () => now, logger: quietLogger() }))
    await stored.catchUp()
    const holds = (...secrets: string[]) => secrets.map((secret) => stored.holder(hashSecret(secret)) !== undefined)
    assert.deepEqual(holds(expired.secret, signedOut.secret, program.key), [true, false, true])
    now += 60_000
    const next = await signIn(120_000)
    await stored.catchUp()
    await keys.administration().revoke(expired.apiKey.id, context())
    await call('DELETE', `/api-keys/${program.id}`)
    await stored.catchUp()
    assert.deepEqual(holds(expired.secret, signedOut.secret, next.secret), [false, false, true])
    assert.equal(stored.known(hashSecret(program.key)), undefined)
    for (const { apiKey, person } of [expired, signedOut]) assert.equal(await stored.nameOf(person), apiKey.name)
  })

  it('until the database is open, the answer is 503, not 401', async () => {
    const { database } = await open(apiKeyViews)
    const opening = Promise.withResolvers<typeof database>()
    const parts = { configured: () => undefined, clock: Date.now, logger: quietLogger() }
    const keys = openKeys({ opening: opening.promise, ...parts })
    const unknown = hashSecret('mint_unknown-but-long-enough')
    await assert.rejects(keys.apiKeys.find(unknown), StoreUnavailable)
    assert.throws(keys.administration, StoreUnavailable)
    await assert.rejects(keys.check(), StoreUnavailable)
    opening.resolve(database)
    await opening.promise
    await keys.check()
    assert.equal(await keys.apiKeys.find(unknown), undefined)
    assert.equal((await keys.administration().list({ limit: 1, offset: 0 })).total, 0)
    await keys.stop()
  })
})
