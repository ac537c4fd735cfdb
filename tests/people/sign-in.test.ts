import assert from 'node:assert/strict'
import { isGeneratedSecret } from '../support/generated-secret.ts'
import { startPeopleGateway } from '../support/people-gateway.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

const BOOKKEEPER = { name: 'Ann Miller', groups: ['bookkeepers'] }
const scopes = ['contracts:read', 'contracts:write']

describe('A person who signs in', () => {
  it('gets an ordinary key that expires, with their name and the scopes of their groups', async () => {
    const now = Date.parse('2026-03-01T08:00:00.000Z')
    const { provider, signIn, as } = await startPeopleGateway({ SIGN_IN_HOURS: '8' }, () => now)
    provider.accounts.set('ann', BOOKKEEPER)
    const { status, body, headers } = await signIn('ann')
    const { key, ...rest } = body
    assert.equal(status, 201)
    assert.ok(isGeneratedSecret(key))
    assert.deepEqual(rest, { expiresAt: '2026-03-01T16:00:00.000Z', name: 'Ann Miller', scopes })
    assert.equal(headers.get('cache-control'), 'private, no-store')
    const { body: current } = await as(key)('GET', '/api-keys/current')
    assert.deepEqual([current.kind, current.name, current.scopes], ['person', 'Ann Miller', scopes])
    assertProblem(await as(key)('GET', '/businesses'), 403, 'insufficient_scope')
  })

  for (const [what, method, secret] of [
    ['takes secrets in the body alone', 'client_secret_post', {}],
    ['knows Mint as a public client', 'none', { OIDC_CLIENT_SECRET: '' }],
  ] as const) {
    it(`gets a key from a provider that ${what}`, async () => {
      const { provider, signedIn } = await startPeopleGateway(secret, undefined, undefined, method)
      provider.accounts.set('ann', BOOKKEEPER)
      assert.equal((await signedIn('ann')).name, BOOKKEEPER.name)
    })
  }

  it('must sign in again once the key has expired', async () => {
    const time = { now: Date.parse('2026-03-01T08:00:00.000Z') }
    const { provider, signedIn } = await startPeopleGateway({}, () => time.now)
    provider.accounts.set('ann', BOOKKEEPER)
    const ann = await signedIn('ann')
    time.now += 10 * 60 * 60 * 1_000 - 1
    assert.equal((await ann.call('GET', '/contracts')).status, 200)
    time.now += 1
    assertProblem(await ann.call('GET', '/contracts'), 401, 'invalid_api_key')
  })

  it('is the same author at every sign-in, whose retries and edits continue under the next key', async () => {
    const { provider, signedIn } = await startPeopleGateway()
    provider.accounts.set('ann', BOOKKEEPER)
    const morning = await signedIn('ann')
    const headers = { 'Idempotency-Key': 'march' }
    const created = await morning.call('POST', '/contracts', aNewContract(), headers)
    provider.accounts.set('ann', { ...BOOKKEEPER, name: 'Ann Baker' })
    const noon = await signedIn('ann')
    const replayed = await noon.call('POST', '/contracts', aNewContract(), headers)
    assert.deepEqual([replayed.status, replayed.headers.get('idempotency-replayed')], [201, 'true'])
    assert.deepEqual(replayed.body, created.body)
    const edit = await noon.call('PATCH', '/contracts/1', { notes: 'n' }, { 'If-Match': '"1"' })
    assert.equal(edit.status, 200)
    assertProblem(
      await morning.call('PATCH', '/contracts/1', { notes: 'o' }, { 'If-Match': '"1"' }),
      412,
      'precondition_failed',
    )
    const { events } = (await noon.call('GET', '/contracts/1/history')).body
    const [first, second] = events
    assert.equal(first.by, second.by)
    assert.match(first.by, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual([first.byName, second.byName], ['Ann Baker', 'Ann Baker'])
  })

  it('is a different author than anyone else', async () => {
    const { provider, signedIn } = await startPeopleGateway()
    for (const account of ['ann', 'bob']) provider.accounts.set(account, BOOKKEEPER)
    const principals = await Promise.all(
      ['ann', 'bob'].map(async (account) => {
        const { call } = await signedIn(account)
        return (await call('GET', '/api-keys/current')).body.principal
      }),
    )
    assert.notEqual(principals[0], principals[1])
  })

  it('gets the scopes of changed groups at the next sign-in, and keeps the old ones until then', async () => {
    const { provider, signedIn } = await startPeopleGateway()
    provider.accounts.set('ann', BOOKKEEPER)
    const before = await signedIn('ann')
    provider.accounts.set('ann', { ...BOOKKEEPER, groups: ['owners'] })
    const after = await signedIn('ann')
    assertProblem(await before.call('GET', '/operations/status'), 403, 'insufficient_scope')
    assert.notEqual((await after.call('GET', '/operations/status')).status, 403)
  })

  it('can be identified by an e-mail address in any case, unless the provider says that it is not verified', async () => {
    const { provider, signIn } = await startPeopleGateway()
    provider.accounts.set('ann', { email: 'aNN@eXAMPLE.com', email_verified: true })
    assert.deepEqual((await signIn('ann')).body.scopes, ['clients:read'])
    provider.accounts.set('ann', { email: 'ann@example.com', email_verified: false })
    assertProblem(await signIn('ann'), 403, 'insufficient_scope')
  })

  it('is not identified by an address that only looks like theirs, or that the provider does not call verified', async () => {
    const { provider, signIn } = await startPeopleGateway({ OIDC_SCOPES: 'email:kim@example.com=clients:read' })
    for (const [email, email_verified, status] of [
      ['Kim@Example.com', true, 201],
      ['kim@example.com', 'true', 201],
      ['kim@example.com', undefined, 201],
      ['kim@example.com', 'False', 403],
      ['kim@example.com', 0, 403],
      ['kim@example.com', null, 403],
      // The Kelvin sign becomes k in lower case.
      ['\u212aim@example.com', true, 403],
      [['kim@example.com', 'other@example.com'], true, 201],
      [[['kim@example.com']], true, 403],
    ] as const) {
      provider.accounts.set('kim', { email, email_verified })
      assert.equal((await signIn('kim')).status, status, JSON.stringify([email, email_verified]))
    }
  })

  it('always has a name, whatever their claims are', async () => {
    const { provider, signIn } = await startPeopleGateway()
    for (const [name, shown] of [
      [' Ann\0 ', 'Ann'],
      ['\u001b[2JAnn\r\n\tMiller\u0085', '[2JAnn Miller'],
      ['\0', 'ann'],
      [' ', 'ann'],
      [5, 'ann'],
    ] as const) {
      provider.accounts.set('ann', { ...BOOKKEEPER, name })
      assert.equal((await signIn('ann')).body.name, shown)
    }
  })

  it('is refused by name, with instructions, if none of their claims gives a scope', async () => {
    const { provider, signIn, call } = await startPeopleGateway()
    provider.accounts.set('eve', { name: 'Eve', groups: ['visitors'], email: 'eve@example.com' })
    const answer = await signIn('eve')
    assertProblem(answer, 403, 'insufficient_scope')
    assert.match(
      answer.body.detail,
      /^You are signed in as Eve, but nothing .* gives access to Mint\. Ask .*OIDC_SCOPES/,
    )
    assert.equal((await call('GET', '/api-keys')).body.total, 0)
  })

  it('can sign out: the key ends immediately, while their other keys and programs’ keys remain', async () => {
    const { provider, signedIn, call } = await startPeopleGateway()
    provider.accounts.set('ann', BOOKKEEPER)
    const [desk, phone] = [await signedIn('ann'), await signedIn('ann')]
    assert.equal((await desk.call('DELETE', '/sign-in')).status, 204)
    assertProblem(await desk.call('GET', '/contracts'), 401, 'invalid_api_key')
    assertProblem(await desk.call('DELETE', '/sign-in'), 401, 'invalid_api_key')
    assert.equal((await phone.call('GET', '/contracts')).status, 200)
    assertProblem(await call('DELETE', '/sign-in'), 404, 'not_found')
    assert.equal((await call('GET', '/contracts')).status, 200)
  })

  it('gets nothing more after signing out, not even through a request that is waiting for events', async () => {
    const { provider, services, signedIn, call } = await startPeopleGateway()
    provider.accounts.set('ann', BOOKKEEPER)
    const ann = await signedIn('ann')
    let read = 0
    const { listEvents } = services.contractsEvents
    Object.assign(services.contractsEvents, {
      listEvents: async (...asked: Parameters<typeof listEvents>) => {
        const page = await listEvents(...asked)
        read++
        return page
      },
    })
    const { next } = (await ann.call('GET', '/events?after=now')).body
    const waiting = ann.call('GET', `/events?after=${next}&wait=10`)
    const accept = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }
    const params = { name: 'list_events', arguments: { after: next, wait: 10, limit: 1 } }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const agent = ann.call('POST', '/mcp', message, accept)
    // One page for `now`, and one for each of the two, which then wait.
    await waitFor(() => read === 3)
    assert.equal((await ann.call('DELETE', '/sign-in')).status, 204)
    assert.equal((await call('POST', '/contracts', aNewContract())).status, 201)
    assertProblem(await waiting, 401, 'invalid_api_key')
    const { result } = (await agent).body
    assert.deepEqual([result.isError, result.content[0].text.slice(0, 16)], [true, 'invalid_api_key:'])
  })

  it('can begin at one gateway, complete at another, and use a third, which share only the database', async () => {
    const { provider, authorize, anotherGateway } = await startPeopleGateway()
    provider.accounts.set('ann', BOOKKEEPER)
    const [second, third] = [await anotherGateway(), await anotherGateway()]
    const { body } = await second.call('POST', '/sign-in', await authorize('ann'))
    assert.equal((await third.as(body.key)('GET', '/contracts')).status, 200)
    assert.equal((await third.as(body.key)('DELETE', '/sign-in')).status, 204)
  })

  it('can keep working while the provider is unavailable, as programs can, but no new sign-ins succeed', async () => {
    const { provider, signedIn, signIn, call } = await startPeopleGateway()
    provider.accounts.set('ann', BOOKKEEPER)
    const ann = await signedIn('ann')
    await provider.stop()
    assert.equal((await ann.call('POST', '/contracts', aNewContract())).status, 201)
    assert.equal((await call('GET', '/contracts')).body.total, 1)
    await assert.rejects(signIn('ann'))
    assert.equal((await ann.call('DELETE', '/sign-in')).status, 204)
  })
})
