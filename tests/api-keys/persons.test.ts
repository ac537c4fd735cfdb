import assert from 'node:assert/strict'
import { administrationOf, idOfKey } from '../../cli/admin/keys.ts'
import { createApiKeyAdministration } from '../../shared/api-keys/administration.ts'
import { newUuid } from '../../shared/calls/ids.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import { atEnd } from '../support/cleanup.ts'
import { openServicesOn } from '../support/filled-folder.ts'
import { startKeysGateway } from '../support/keys-gateway.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'

const ANN = '5f0e2a1c-3b4d-5c6e-8f70-123456789abc'
const scopes = ['contracts:read', 'contracts:write'] as const

describe('A person’s keys', () => {
  async function start(rateLimitPerSecond = 1_000) {
    const { data, services } = atEnd.close(await openServicesOn(newFolder()))
    const { keys, call, as } = atEnd.stop(await startKeysGateway(data.gateway, { services, rateLimitPerSecond }))
    /** A new key for a person, as each sign-in creates it. */
    async function signIn(name = 'Ann', person = ANN) {
      const context = toCommandContext({ actor: person, requestId: 'sign-in' })
      const made = await keys.administration().create({ name, scopes, expiresAt: null, person }, context)
      return { id: made.apiKey.id, call: as(made.secret) }
    }
    return { call, signIn }
  }

  it('all show as the person in the history, under their current name, even after every key has ended', async () => {
    const { call, signIn } = await start()
    const [morning, noon] = [await signIn('Ann Miller'), await signIn('Ann Baker')]
    await morning.call('POST', '/contracts', aNewContract())
    await noon.call('PATCH', '/contracts/1', { notes: 'after lunch' })
    for (const { id } of [morning, noon]) assert.equal((await call('DELETE', `/api-keys/${id}`)).status, 204)
    const { events } = (await call('GET', '/contracts/1/history')).body
    const authors = events.map(({ by, byName }: { by: string; byName: string }) => ({ by, byName }))
    const ann = { by: ANN, byName: 'Ann Baker' }
    assert.deepEqual(authors, [ann, ann])
  })

  it('come only from an identity provider: without one, nobody can sign in, and callers learn to use API keys', async () => {
    const { call } = await start()
    assert.deepEqual((await call('GET', '/sign-in')).body, { available: false, url: null, state: null })
    const answer = { code: 'a', state: 'b'.repeat(43), returnedState: 'c' }
    assert.match(assertProblem(await call('POST', '/sign-in', answer), 404, 'not_found').detail, /Use an API key\.$/)
  })

  it('share their Idempotency-Keys, so a retry under the next key duplicates nothing', async () => {
    const { signIn } = await start()
    const [morning, noon, other] = [await signIn(), await signIn(), await signIn('Bob', newUuid())]
    const headers = { 'Idempotency-Key': 'invoice-7' }
    const first = await morning.call('POST', '/contracts', aNewContract(), headers)
    const again = await noon.call('POST', '/contracts', aNewContract(), headers)
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, 'true'])
    assert.deepEqual(again.body, first.body)
    const others = await other.call('POST', '/contracts', aNewContract(), headers)
    assert.equal(others.headers.get('idempotency-replayed'), null)
    assert.equal((await noon.call('GET', '/contracts')).body.total, 2)
  })

  it('share one rate limit', async () => {
    const { signIn } = await start(3)
    const [morning, noon] = [await signIn(), await signIn()]
    const calls = [morning, noon, morning, noon, morning, noon].map(({ call }) => call('GET', '/contracts'))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    assert.ok(statuses.includes(429), `${statuses}`)
  })

  it('are marked as such for administrators, who may revoke them but not take them over', async () => {
    const { call, signIn } = await start()
    const ann = await signIn()
    const { body: seen } = await call('GET', `/api-keys/${ann.id}`)
    assert.deepEqual([seen.kind, seen.principal, seen.name], ['person', ANN, 'Ann'])
    const { body: own } = await ann.call('GET', '/api-keys/current')
    assert.deepEqual(own, { id: ann.id, kind: 'person', principal: ANN, name: 'Ann', scopes })
    assertProblem(await call('POST', `/api-keys/${ann.id}/rotate`), 404, 'not_found')
    assert.equal((await ann.call('GET', '/contracts')).status, 200)
    assert.equal((await call('DELETE', `/api-keys/${ann.id}`)).status, 204)
    assertProblem(await ann.call('GET', '/contracts'), 401, 'invalid_api_key')
  })

  it('are found by name on the command line, even if earlier sign-ins left keys that have expired', async () => {
    const { data } = atEnd.close(await openServicesOn(newFolder()))
    const database = data.gateway
    const signIn = async (now: number) => {
      const keys = createApiKeyAdministration({ database, clock: () => now })
      const key = { name: 'Ann Miller', scopes, expiresAt: now + 60_000, person: ANN }
      return (await keys.create(key, toCommandContext({ actor: ANN, requestId: 'sign-in' }))).apiKey.id
    }
    for (const minutes of [3, 2]) await signIn(Date.now() - minutes * 60_000)
    const id = await signIn(Date.now())
    assert.equal(await idOfKey(administrationOf({ gateway: database }), 'Ann Miller'), id)
  })
})
