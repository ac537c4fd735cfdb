import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { apiKeyViews } from '../../gateway/api-keys/view.ts'
import { SCOPES } from '../../gateway/auth/scopes.ts'
import { hashSecret, isGeneratedSecret } from '../../gateway/auth/secret.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.ts'
import type { Database } from '../../shared/event-sourcing/database.ts'
import { BEGINNING } from '../../shared/event-sourcing/event.ts'
import { describeOnDatabases } from '../adapters/database-fixtures.ts'
import { cleanup } from '../support/cleanup.ts'
import { TEST_KEY_ID } from '../support/gateway-fixture.ts'
import { type KeysGateway, startKeysGateway } from '../support/keys-gateway.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import type { Rest } from '../support/rest.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NEW_YEAR = Date.parse('2026-01-01T00:00:00.000Z')
const reader = { name: 'Reader', scopes: ['contracts:read'] }

describeOnDatabases('/api-keys', (open) => {
  const atEnd = cleanup()

  /** A gateway whose clock the test moves. */
  async function newGateway() {
    const { database } = await open(apiKeyViews)
    const time = { now: NEW_YEAR }
    const gateway = await startKeysGateway(database, { clock: () => time.now })
    atEnd(() => gateway.stop())
    return { ...gateway, database, time }
  }

  const isAccepted = async (call: Rest): Promise<boolean> => {
    const answer = await call('GET', '/contracts/7')
    if (answer.status === 404) return true
    assertProblem(answer, 401, 'invalid_api_key')
    return false
  }

  it('POST makes a key whose secret is in this answer and no other, and works at once', async () => {
    const { call, as } = await newGateway()
    const answer = await call('POST', '/api-keys', { ...reader, expiresAt: '2026-02-01T01:00:00+01:00' })
    const { key, ...record } = answer.body
    assert.equal(answer.status, 201)
    assert.ok(isGeneratedSecret(key))
    assert.deepEqual(record, {
      id: record.id,
      name: 'Reader',
      scopes: ['contracts:read'],
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-02-01T00:00:00.000Z',
      lastUsedAt: null,
      revokedAt: null,
    })
    assert.equal(answer.headers.get('location'), `/api-keys/${record.id}`)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.deepEqual((await call('GET', `/api-keys/${record.id}`)).body, record)
    assert.deepEqual((await call('GET', '/api-keys')).body, { apiKeys: [record], total: 1 })
    assert.ok(await isAccepted(as(key)))
    assertProblem(await as(key)('GET', '/businesses'), 403, 'insufficient_scope')
  })

  it('GET lists keys newest first, revoked ones too, a page at a time', async () => {
    const { call, time } = await newGateway()
    const ids: string[] = []
    for (const name of ['one', 'two', 'three']) {
      ids.unshift((await call('POST', '/api-keys', { ...reader, name })).body.id)
      time.now++
    }
    await call('DELETE', `/api-keys/${ids[0]}`)
    const page = async (query: string) => {
      const { apiKeys, total } = (await call('GET', `/api-keys${query}`)).body
      return [total, ...apiKeys.map(({ id }: { id: string }) => ids.indexOf(id))]
    }
    assert.deepEqual(await page(''), [3, 0, 1, 2])
    assert.deepEqual(await page('?limit=1&offset=1'), [3, 1])
    assertInvalid(await call('GET', '/api-keys?limit=0&search=x'), [
      'query /limit out_of_range',
      'query /search unknown_field',
    ])
  })

  it('a key is refused from the moment on at which it expires', async () => {
    const { call, as, time } = await newGateway()
    const { key } = (await call('POST', '/api-keys', { ...reader, expiresAt: '2026-01-01T00:00:10.000Z' })).body
    time.now += 9_999
    assert.ok(await isAccepted(as(key)))
    time.now += 1
    assert.ok(!(await isAccepted(as(key))))
  })

  it('POST …/rotate gives a new secret under the same id, and the old one its grace', async () => {
    const { call, as, time } = await newGateway()
    const { key: first, ...record } = (await call('POST', '/api-keys', reader)).body
    const rotated = await call('POST', `/api-keys/${record.id}/rotate`, { graceSeconds: 60 })
    const { key: second, ...same } = rotated.body
    assert.equal(rotated.status, 201)
    assert.equal(rotated.headers.get('cache-control'), 'no-store')
    assert.deepEqual(same, record)
    time.now += 59_999
    assert.deepEqual([await isAccepted(as(first)), await isAccepted(as(second))], [true, true])
    time.now += 1
    assert.deepEqual([await isAccepted(as(first)), await isAccepted(as(second))], [false, true])
  })

  it('POST …/rotate without a body ends the old secret at once, and what an earlier rotation let live', async () => {
    const { call, as } = await newGateway()
    const { key: first, id } = (await call('POST', '/api-keys', reader)).body
    const { key: second } = (await call('POST', `/api-keys/${id}/rotate`, { graceSeconds: 60 })).body
    const { key: third } = (await call('POST', `/api-keys/${id}/rotate`)).body
    const accepted = await Promise.all([first, second, third].map((secret) => isAccepted(as(secret))))
    assert.deepEqual(accepted, [false, false, true])
  })

  it('DELETE revokes a key with all its secrets at once, and again changes nothing', async () => {
    const { call, as, time, database } = await newGateway()
    const { key: first, id } = (await call('POST', '/api-keys', reader)).body
    const { key: second } = (await call('POST', `/api-keys/${id}/rotate`, { graceSeconds: 60 })).body
    time.now += 1_000
    for (const _ of ['first', 'again']) {
      const answer = await call('DELETE', `/api-keys/${id}`)
      assert.deepEqual([answer.status, answer.text, answer.headers.get('content-type')], [204, '', null])
      time.now += 1_000
    }
    assert.deepEqual([await isAccepted(as(first)), await isAccepted(as(second))], [false, false])
    assert.equal((await call('GET', `/api-keys/${id}`)).body.revokedAt, '2026-01-01T00:00:01.000Z')
    assert.equal((await database.events.readAll(BEGINNING, 10)).length, 3)
  })

  it('a key that is revoked or expired is not rotated, and one that is not there is not found', async () => {
    const { call, time } = await newGateway()
    const { id: revoked } = (await call('POST', '/api-keys', reader)).body
    await call('DELETE', `/api-keys/${revoked}`)
    const { id: expired } = (await call('POST', '/api-keys', { ...reader, expiresAt: '2026-01-01T00:00:01Z' })).body
    time.now += 1_000
    const detailOf = async (id: string) =>
      assertProblem(await call('POST', `/api-keys/${id}/rotate`), 404, 'not_found').detail
    assert.match(await detailOf(revoked), /was revoked/)
    assert.match(await detailOf(expired), /has expired/)
    const nobody = randomUUID()
    assert.match(await detailOf(nobody), /no API key with this id/)
    assertProblem(await call('GET', `/api-keys/${nobody}`), 404, 'not_found')
    assertProblem(await call('DELETE', `/api-keys/${nobody}`), 404, 'not_found')
  })

  it('the last key of an administrator can be revoked, by itself too', async () => {
    const { call, as } = await newGateway()
    const { key, id } = (await call('POST', '/api-keys', { name: 'Admin', scopes: ['keys:admin'] })).body
    assert.equal((await as(key)('DELETE', `/api-keys/${id}`)).status, 204)
    assertProblem(await as(key)('GET', '/api-keys'), 401, 'invalid_api_key')
  })

  it('who made, rotated and revoked a key is history, and of its secrets there is only the SHA-256', async () => {
    const { call, as, database } = await newGateway()
    const admin = (await call('POST', '/api-keys', { name: 'Admin', scopes: ['keys:admin'] })).body
    const other = (await as(admin.key)('POST', '/api-keys', reader)).body
    const again = (await as(admin.key)('POST', `/api-keys/${other.id}/rotate`)).body
    await call('DELETE', `/api-keys/${other.id}`)
    const events = await database.events.readAll(BEGINNING, 10)
    assert.deepEqual(
      events.map(({ type, stream, by, data }) => [type, stream.id, by, 'sha256' in data ? data.sha256 : undefined]),
      [
        ['ApiKeyCreated.v1', admin.id, TEST_KEY_ID, hashSecret(admin.key)],
        ['ApiKeyCreated.v1', other.id, admin.id, hashSecret(other.key)],
        ['ApiKeyRotated.v1', other.id, admin.id, hashSecret(again.key)],
        ['ApiKeyRevoked.v1', other.id, TEST_KEY_ID, undefined],
      ],
    )
  })

  it('tells when a key was last used, also after the gateway was stopped', async () => {
    const { call, as, keys, time, database, stop } = await newGateway()
    const { key, id } = (await call('POST', '/api-keys', reader)).body
    assert.equal((await keys.administration.find(id))?.lastUsedAt, null)
    time.now += 5_000
    await isAccepted(as(key))
    await stop()
    const later = await startKeysGateway(database)
    atEnd(() => later.stop())
    assert.equal((await later.call('GET', `/api-keys/${id}`)).body.lastUsedAt, '2026-01-01T00:00:05.000Z')
    assert.equal((await later.call('GET', '/api-keys')).body.apiKeys[0].lastUsedAt, '2026-01-01T00:00:05.000Z')
  })
})

describe('The checks of /api-keys', () => {
  const folder = temporaryFolder()
  let database: Database
  let gateway: KeysGateway
  before(async () => {
    database = await openSqliteDatabase({ file: `${folder.path}/gateway.db`, views: apiKeyViews })
    gateway = await startKeysGateway(database)
  })
  after(async () => {
    await gateway.stop()
    await database.close()
    folder.remove()
  })

  it('every route takes keys:admin and no other scope', async () => {
    const { call, as } = gateway
    const id = randomUUID()
    const requests: readonly [string, string, unknown?][] = [
      ['GET', '/api-keys'],
      ['POST', '/api-keys', {}],
      ['GET', `/api-keys/${id}`],
      ['DELETE', `/api-keys/${id}`],
      ['POST', `/api-keys/${id}/rotate`, {}],
    ]
    const others = SCOPES.filter((scope) => scope !== 'keys:admin')
    const { key: without } = (await call('POST', '/api-keys', { name: 'Rest', scopes: others })).body
    const { key: admin } = (await call('POST', '/api-keys', { name: 'Admin', scopes: ['keys:admin'] })).body
    for (const [method, path, body] of requests) {
      assertProblem(await as(without)(method, path, body), 403, 'insufficient_scope')
      assert.ok([200, 400, 404].includes((await as(admin)(method, path, body)).status), `${method} ${path}`)
    }
  })

  it('a path says which methods it takes', async () => {
    for (const [path, allow] of [
      ['/api-keys', 'GET, HEAD, POST'],
      ['/api-keys/7', 'GET, HEAD, DELETE'],
      ['/api-keys/7/rotate', 'POST'],
    ] as const) {
      const answer = await gateway.call('PATCH', path)
      assertProblem(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), allow)
    }
  })

  it('an Idempotency-Key is refused, as a secret is never answered twice', async () => {
    const headers = { 'idempotency-key': 'once' }
    const { id } = (await gateway.call('POST', '/api-keys', reader)).body
    const head = await database.events.head()
    for (const [method, path, body] of [
      ['POST', '/api-keys', reader],
      ['POST', `/api-keys/${id}/rotate`, undefined],
      ['DELETE', `/api-keys/${id}`, undefined],
    ] as const) {
      assertInvalid(await gateway.call(method, path, body, headers), ['header /Idempotency-Key malformed_header'])
    }
    assert.equal(await database.events.head(), head)
  })

  for (const [body, violations] of [
    [{}, ['body /name required', 'body /scopes required']],
    [{ name: ' ', scopes: [] }, ['body /name blank', 'body /scopes required']],
    [{ name: 'x'.repeat(101), scopes: 'keys:admin' }, ['body /name too_long', 'body /scopes wrong_type']],
    [{ name: 'x', scopes: ['all'] }, ['body /scopes/0 not_allowed']],
    [{ name: 'x', scopes: ['keys:admin', 'keys:admin'] }, ['body /scopes given_twice']],
    [{ ...reader, expiresAt: '2026-13-01T00:00:00Z' }, ['body /expiresAt invalid_timestamp']],
    [{ ...reader, expiresAt: '2020-01-01T00:00:00Z' }, ['body /expiresAt out_of_range']],
    [{ ...reader, expiresAt: '9999-12-31T23:59:59-00:01' }, ['body /expiresAt out_of_range']],
    [
      { ...reader, id: randomUUID(), key: 'mint_x', lastUsedAt: null },
      ['body /id computed_field', 'body /key computed_field', 'body /lastUsedAt computed_field'],
    ],
  ] as const) {
    it(`a new key is refused for ${violations.join(', ')}`, async () => {
      assertInvalid(await gateway.call('POST', '/api-keys', body), violations)
    })
  }

  it('a hundred kilobytes of scopes get a short answer', async () => {
    const body = `{"name":"x","scopes":[${'1,'.repeat(50_000)}1]}`
    const answer = await gateway.call('POST', '/api-keys', body)
    assertProblem(answer, 400, 'validation_failed')
    assert.ok(answer.text.length < 5_000)
  })

  it('a key may have no expiry, by null or by leaving it out', async () => {
    for (const body of [reader, { ...reader, expiresAt: null }]) {
      assert.equal((await gateway.call('POST', '/api-keys', body)).body.expiresAt, null)
    }
  })

  it('the grace of a rotation is a whole number of seconds up to 30 days', async () => {
    const { id } = (await gateway.call('POST', '/api-keys', reader)).body
    const path = `/api-keys/${id}/rotate`
    for (const graceSeconds of [-1, 0.5, 2_592_001]) {
      assertInvalid(await gateway.call('POST', path, { graceSeconds }), ['body /graceSeconds out_of_range'])
    }
    assertInvalid(await gateway.call('POST', path, { graceSeconds: '60' }), ['body /graceSeconds wrong_type'])
    assertInvalid(await gateway.call('POST', path, { grace: 60 }), ['body /grace unknown_field'])
    assertProblem(
      await gateway.call('POST', path, 'x', { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    )
    assert.equal((await gateway.call('POST', path, { graceSeconds: 2_592_000 })).status, 201)
  })
})
