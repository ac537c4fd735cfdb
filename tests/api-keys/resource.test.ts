import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { hashSecret } from '../../shared/api-keys/secret.ts'
import { apiKeyViews } from '../../shared/api-keys/view.ts'
import { BEGINNING } from '../../shared/event-sourcing/event.ts'
import { atEnd } from '../support/cleanup.ts'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { TEST_KEY_ID } from '../support/gateway-fixture.ts'
import { isGeneratedSecret } from '../support/generated-secret.ts'
import { startKeysGateway } from '../support/keys-gateway.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import type { Rest } from '../support/rest.ts'

const NEW_YEAR = Date.parse('2026-01-01T00:00:00.000Z')
const reader = { name: 'Reader', scopes: ['contracts:read'] }

describeOnDatabases('/api-keys', (open) => {
  /** A gateway whose clock the test moves. */
  async function newGateway() {
    const { database } = await open(apiKeyViews)
    const time = { now: NEW_YEAR }
    const gateway = atEnd.stop(await startKeysGateway(database, { clock: () => time.now }))
    return { ...gateway, database, time }
  }

  const isAccepted = async (call: Rest): Promise<boolean> => {
    const answer = await call('GET', '/contracts/7')
    if (answer.status === 404) return true
    assertProblem(answer, 401, 'invalid_api_key')
    return false
  }

  it('POST creates a key that works immediately, and shows its secret in this answer only', async () => {
    const { call, as } = await newGateway()
    const answer = await call('POST', '/api-keys', { ...reader, expiresAt: '2026-02-01T01:00:00+01:00' })
    const { key, ...record } = answer.body
    assert.equal(answer.status, 201)
    assert.ok(isGeneratedSecret(key))
    assert.deepEqual(record, {
      id: record.id,
      kind: 'program',
      principal: record.id,
      name: 'Reader',
      scopes: ['contracts:read'],
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-02-01T00:00:00.000Z',
      lastUsedAt: null,
      revokedAt: null,
    })
    assert.equal(answer.headers.get('location'), `/api-keys/${record.id}`)
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    assert.deepEqual((await call('GET', `/api-keys/${record.id}`)).body, record)
    assert.deepEqual((await call('GET', '/api-keys')).body, { apiKeys: [record], total: 1 })
    assert.ok(await isAccepted(as(key)))
    assertProblem(await as(key)('GET', '/businesses'), 403, 'insufficient_scope')
  })

  it('GET …/current returns any caller’s own key, even a configured one that is not stored', async () => {
    const { call, as } = await newGateway()
    const reader = { name: 'Reader', scopes: ['clients:read'] }
    const { id, key } = (await call('POST', '/api-keys', reader)).body
    assert.deepEqual((await as(key)('GET', '/api-keys/current')).body, {
      id,
      kind: 'program',
      principal: id,
      ...reader,
    })
    assert.equal((await call('GET', '/api-keys/current')).body.id, TEST_KEY_ID)
  })

  it('GET lists keys newest first, including revoked ones, a page at a time', async () => {
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
    const { headers } = await call('GET', '/api-keys?limit=1&offset=1')
    assert.equal(headers.get('link'), '</api-keys?limit=1&offset=2>; rel="next"')
    assertInvalid(await call('GET', '/api-keys?limit=0&search=x'), [
      'query /limit out_of_range',
      'query /search unknown_field',
    ])
  })

  it('a key is refused from the moment of its expiry, with all its secrets, and not created from then on', async () => {
    const { call, as, time } = await newGateway()
    const expired = { ...reader, expiresAt: '2026-01-01T00:00:00.000Z' }
    assertInvalid(await call('POST', '/api-keys', expired), ['body /expiresAt out_of_range'])
    const expiring = { ...reader, expiresAt: '2026-01-01T00:00:10.000Z' }
    const { key: first, id } = (await call('POST', '/api-keys', expiring)).body
    const { key: second } = (await call('POST', `/api-keys/${id}/rotate`, { graceSeconds: 60 })).body
    time.now += 9_999
    assert.deepEqual([await isAccepted(as(first)), await isAccepted(as(second))], [true, true])
    time.now += 1
    assert.deepEqual([await isAccepted(as(first)), await isAccepted(as(second))], [false, false])
  })

  it('POST …/rotate returns a new secret under the same id, and gives the old one a grace period, which no later rotation extends', async () => {
    const { call, as, time } = await newGateway()
    const { key: first, ...record } = (await call('POST', '/api-keys', reader)).body
    const rotated = await call('POST', `/api-keys/${record.id}/rotate`, { graceSeconds: 60 })
    const { key: second, ...same } = rotated.body
    assert.equal(rotated.status, 201)
    assert.equal(rotated.headers.get('cache-control'), 'private, no-store')
    assert.deepEqual(same, record)
    time.now += 30_000
    const { key: third } = (await call('POST', `/api-keys/${record.id}/rotate`, { graceSeconds: 60 })).body
    const accepted = () => Promise.all([first, second, third].map((secret) => isAccepted(as(secret))))
    time.now += 29_999
    assert.deepEqual(await accepted(), [true, true, true])
    time.now += 1
    assert.deepEqual(await accepted(), [false, true, true])
    time.now += 30_000
    assert.deepEqual(await accepted(), [false, false, true])
  })

  for (const [how, body] of [
    ['without a body', undefined],
    ['with null, as generated clients send it,', null],
  ] as const) {
    it(`POST …/rotate ${how} immediately ends the old secret, and any still valid from an earlier rotation`, async () => {
      const { call, as, time } = await newGateway()
      const { key: first, id } = (await call('POST', '/api-keys', reader)).body
      const { key: second } = (await call('POST', `/api-keys/${id}/rotate`, { graceSeconds: 60 })).body
      const { key: third } = (await call('POST', `/api-keys/${id}/rotate`, body)).body
      // As at a gateway whose clock is behind.
      time.now -= 1_000
      const accepted = await Promise.all([first, second, third].map((secret) => isAccepted(as(secret))))
      assert.deepEqual(accepted, [false, false, true])
    })
  }

  it('DELETE immediately revokes a key with all its secrets, and changes nothing the second time', async () => {
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

  it('a revoked or expired key is not rotated, and an unknown one is not found', async () => {
    const { call, time } = await newGateway()
    const { id: revoked } = (await call('POST', '/api-keys', reader)).body
    await call('DELETE', `/api-keys/${revoked}`)
    const { id: expired } = (await call('POST', '/api-keys', { ...reader, expiresAt: '2026-01-01T00:00:01Z' })).body
    time.now += 1_000
    const detailOf = async (id: string) =>
      assertProblem(await call('POST', `/api-keys/${id}/rotate`), 404, 'not_found').detail
    assert.match(await detailOf(revoked), /was revoked/)
    assert.match(await detailOf(expired), /has expired/)
    assert.equal((await call('DELETE', `/api-keys/${expired}`)).status, 204)
    assert.match(await detailOf(expired), /was revoked/)
    const nobody = randomUUID()
    assert.match(await detailOf(nobody), /no API key with this id/)
    assertProblem(await call('GET', `/api-keys/${nobody}`), 404, 'not_found')
    assertProblem(await call('DELETE', `/api-keys/${nobody}`), 404, 'not_found')
  })

  it('the last administrator key can be revoked, even by itself', async () => {
    const { call, as } = await newGateway()
    const { key, id } = (await call('POST', '/api-keys', { name: 'Admin', scopes: ['keys:admin'] })).body
    assert.equal((await as(key)('DELETE', `/api-keys/${id}`)).status, 204)
    assertProblem(await as(key)('GET', '/api-keys'), 401, 'invalid_api_key')
  })

  it('the log records who created, rotated and revoked a key, and only the SHA-256 of its secrets', async () => {
    const { call, as, database } = await newGateway()
    const admin = (await call('POST', '/api-keys', { name: 'Admin', scopes: ['keys:admin'] })).body
    const other = (await as(admin.key)('POST', '/api-keys', reader)).body
    const again = (await as(admin.key)('POST', `/api-keys/${other.id}/rotate`)).body
    await call('DELETE', `/api-keys/${other.id}`)
    const commits = await database.inspection.readCommits(BEGINNING, 10)
    assert.deepEqual(
      commits.flatMap(({ stream, metadata, events }) =>
        events.map(({ type, data }) => [type, stream.id, metadata.by, 'sha256' in data ? data.sha256 : undefined]),
      ),
      [
        ['ApiKeyCreated.v1', admin.id, TEST_KEY_ID, hashSecret(admin.key)],
        ['ApiKeyCreated.v1', other.id, admin.id, hashSecret(other.key)],
        ['ApiKeyRotated.v1', other.id, admin.id, hashSecret(again.key)],
        ['ApiKeyRevoked.v1', other.id, TEST_KEY_ID, undefined],
      ],
    )
    const stored = JSON.stringify(commits)
    assert.ok([admin, other, again].every(({ key }) => !stored.includes(key.slice('mint_'.length))))
  })

  it('shows when a key was last used, even after the gateway was stopped', async () => {
    const { call, as, keys, time, database, stop } = await newGateway()
    const { key, id } = (await call('POST', '/api-keys', reader)).body
    assert.equal((await keys.administration().find(id))?.lastUsedAt, null)
    time.now += 5_000
    await isAccepted(as(key))
    await stop()
    const later = atEnd.stop(await startKeysGateway(database))
    assert.equal((await later.call('GET', `/api-keys/${id}`)).body.lastUsedAt, '2026-01-01T00:00:05.000Z')
    assert.equal((await later.call('GET', '/api-keys')).body.apiKeys[0].lastUsedAt, '2026-01-01T00:00:05.000Z')
  })
})
