import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { SCOPES } from '../../shared/api-keys/scopes.ts'
import { apiKeyViews } from '../../shared/api-keys/view.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { type KeysGateway, startKeysGateway } from '../support/keys-gateway.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const reader = { name: 'Reader', scopes: ['contracts:read'] }

describe('Checks of requests to /api-keys', () => {
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

  it('every route except that of the caller’s own key requires keys:admin and no other scope', async () => {
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

  it('an unsupported method gets 405 with the methods that the path supports', async () => {
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

  it('an Idempotency-Key is refused, because a secret is never shown twice', async () => {
    const headers = { 'idempotency-key': 'once' }
    const { id } = (await gateway.call('POST', '/api-keys', reader)).body
    const head = await database.events.head()
    for (const [method, path, body] of [
      ['POST', '/api-keys', reader],
      ['POST', `/api-keys/${id}/rotate`, undefined],
      ['DELETE', `/api-keys/${id}`, undefined],
    ] as const) {
      for (const given of [headers, { 'idempotency-key': 'not visible' }]) {
        assertInvalid(await gateway.call(method, path, body, given), ['header /Idempotency-Key malformed_header'])
      }
    }
    assert.equal(await database.events.head(), head)
  })

  for (const [body, violations] of [
    [{}, ['body /name required', 'body /scopes required']],
    [{ name: ' ', scopes: [] }, ['body /name blank', 'body /scopes required']],
    [{ name: 'x'.repeat(101), scopes: 'keys:admin' }, ['body /name too_long', 'body /scopes wrong_type']],
    [{ name: 'x', scopes: ['all'] }, ['body /scopes/0 not_allowed']],
    [{ name: 'x', scopes: ['keys:admin', 'keys:admin'] }, ['body /scopes given_twice']],
    [
      { name: 'x', scopes: ['keys:admin', 'all', 'keys:admin'] },
      ['body /scopes/1 not_allowed', 'body /scopes given_twice'],
    ],
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

  it('a key sent in the wrong place is masked in the answer', async () => {
    const { key } = (await gateway.call('POST', '/api-keys', reader)).body
    const misplaced = [
      await gateway.call('DELETE', `/api-keys/${key}`),
      await gateway.call('POST', `/api-keys/${key}/rotate`),
      await gateway.call('GET', `/${key}`),
      await gateway.call('GET', `/api-keys?${key}=1`),
      await gateway.call('POST', '/api-keys', { ...reader, [key]: 1 }),
    ]
    for (const { status, text } of misplaced) {
      assert.match(`${status}`, /^4/)
      assert.ok(!text.includes(key), text)
      assert.match(text, /mint_\(hidden\)/)
    }
  })

  it('a hundred kilobytes of scopes get a short answer', async () => {
    const body = `{"name":"x","scopes":[${'1,'.repeat(50_000)}1]}`
    const answer = await gateway.call('POST', '/api-keys', body)
    assertProblem(answer, 400, 'validation_failed')
    assert.ok(answer.text.length < 5_000)
  })

  it('expiresAt may be null or omitted', async () => {
    for (const body of [reader, { ...reader, expiresAt: null }]) {
      assert.equal((await gateway.call('POST', '/api-keys', body)).body.expiresAt, null)
    }
  })

  it('the grace period of a rotation is a whole number of seconds up to 30 days', async () => {
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
