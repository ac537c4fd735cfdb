import assert from 'node:assert/strict'
import type { JWTPayload } from 'jose'
import { signInAtProvider } from '../support/identity-provider.ts'
import { startPeopleGateway } from '../support/people-gateway.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'

const OWNER = { name: 'Olga', groups: ['owners'] }

async function start() {
  const gateway = await startPeopleGateway()
  gateway.provider.accounts.set('olga', OWNER)
  return gateway
}

const now = () => Math.floor(Date.now() / 1_000)

/** ID tokens that the provider may sign, but not for this sign-in. */
const WRONG_CLAIMS: Readonly<Record<string, (claims: JWTPayload) => JWTPayload>> = {
  'from another issuer': (claims) => ({ ...claims, iss: 'https://login.example.com' }),
  'without an issuer': ({ iss: _, ...claims }) => claims,
  'for another audience': (claims) => ({ ...claims, aud: 'another-app' }),
  'for several audiences, authorized for another': (claims) => ({ ...claims, aud: ['mint', 'other'], azp: 'other' }),
  'with the nonce of another sign-in': (claims) => ({ ...claims, nonce: 'another' }),
  'without a nonce': ({ nonce: _, ...claims }) => claims,
  'that has expired': (claims) => ({ ...claims, iat: now() - 700, exp: now() - 60 }),
  'that never expires': ({ exp: _, ...claims }) => claims,
  'without a subject': ({ sub: _, ...claims }) => claims,
  'with an empty subject': (claims) => ({ ...claims, sub: '' }),
}

describe('A sign-in is refused, and creates no key,', () => {
  it(`for an ID token ${Object.keys(WRONG_CLAIMS).join(', or ')}`, async () => {
    const { provider, signIn, call, log } = await start()
    for (const [what, claims] of Object.entries(WRONG_CLAIMS)) {
      provider.trouble.claims = claims
      const { length } = log.lines
      assertInvalid(await signIn('olga'), ['body  not_allowed'])
      const line = log.lines[length]
      assert.match(String(line?.msg), /a sign-in was refused/, what)
      assert.match(String(line?.reason), /\w/, what)
    }
    assert.equal((await call('GET', '/api-keys')).body.total, 0)
  })

  it('for an ID token that is unsigned (alg none), or signed with a key that is not the provider’s or with the secret', async () => {
    const { provider, signIn } = await start()
    for (const signature of ['none', 'stranger', 'secret'] as const) {
      provider.trouble.signature = signature
      assertInvalid(await signIn('olga'), ['body  not_allowed'])
    }
  })

  it('for a code that was used already, while the key from its first use still works', async () => {
    const { authorize, call, as } = await start()
    const answer = await authorize('olga')
    const first = await call('POST', '/sign-in', answer)
    assertInvalid(await call('POST', '/sign-in', answer), ['body /code not_allowed'])
    assert.equal((await as(first.body.key)('GET', '/contracts')).status, 200)
  })

  it('for a code of another sign-in, or one that the provider never issued', async () => {
    const { authorize, call } = await start()
    const [own, other] = [await authorize('olga'), await authorize('olga')]
    assertInvalid(await call('POST', '/sign-in', { ...own, code: other.code }), ['body /code not_allowed'])
    assertInvalid(await call('POST', '/sign-in', { ...own, code: 'made-up' }), ['body /code not_allowed'])
  })

  it('for a code and returned state without the secret state of the browser that began the sign-in', async () => {
    const { authorize, call } = await start()
    const { code, returnedState, iss } = await authorize('olga')
    const others = (await call('GET', '/sign-in')).body.state
    for (const state of [returnedState, others]) {
      assertInvalid(await call('POST', '/sign-in', { code, state, iss }), ['body /code not_allowed'])
    }
  })

  it('for a returned state of another sign-in, or a different issuer', async () => {
    const { authorize, call } = await start()
    const answer = await authorize('olga')
    const wrong = { ...answer, returnedState: 'another' }
    assertInvalid(await call('POST', '/sign-in', wrong), ['body  not_allowed'])
    const mixedUp = { ...answer, iss: 'https://login.example.com' }
    assertInvalid(await call('POST', '/sign-in', mixedUp), ['body  not_allowed'])
    assert.equal((await call('POST', '/sign-in', answer)).status, 201)
  })

  it('for a malformed body, or an Idempotency-Key', async () => {
    const { call } = await start()
    assertInvalid(await call('POST', '/sign-in', {}), ['body /code required', 'body /state required'])
    const answer = { code: 'c', state: 's' }
    const repeatable = await call('POST', '/sign-in', answer, { 'idempotency-key': 'k' })
    assertInvalid(repeatable, ['header /Idempotency-Key malformed_header'])
    assertProblem(
      await call('POST', '/sign-in', 'code=c', { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    )
  })
})

describe('A sign-in', () => {
  it('sends no secret through the address bar: the parameters reveal nothing that the browser stores', async () => {
    const { call } = await start()
    const { body, headers } = await call('GET', '/sign-in')
    assert.ok(!body.url.includes(body.state))
    assert.equal(headers.get('cache-control'), 'private, no-store')
    const { searchParams } = new URL(body.url)
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    const names = ['state', 'nonce', 'code_challenge']
    const again = new URL((await call('GET', '/sign-in')).body.url).searchParams
    for (const name of names) assert.notEqual(searchParams.get(name), again.get(name))
  })

  it('works immediately after the provider rotates its signing keys, however often', async () => {
    const { provider, signIn } = await start()
    for (let times = 0; times < 3; times++) {
      assert.equal((await signIn('olga')).status, 201)
      await provider.rotateKeys()
    }
    assert.equal((await signIn('olga')).status, 201)
  })

  it('counts against the limit for callers without a key, and requires none', async () => {
    const { port, call } = await start()
    const answer = await fetch(`http://127.0.0.1:${port}/sign-in`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('ratelimit-policy'), null)
    const { status } = await call('GET', '/sign-in', undefined, { authorization: undefined })
    assert.equal(status, 200)
  })

  it('returns to the console at the requested address, unless the setting has another', async () => {
    const { call, port } = await startPeopleGateway({ OIDC_REDIRECT_URL: '' })
    const { url } = (await call('GET', '/sign-in')).body
    assert.equal(new URL(url).searchParams.get('redirect_uri'), `http://127.0.0.1:${port}/console`)
    await assert.rejects(signInAtProvider(url, 'olga'), /redirect_uri/)
  })
})
