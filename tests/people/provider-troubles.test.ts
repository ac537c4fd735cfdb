import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { ProviderContext } from 'oidc-provider'
import { startPeopleGateway } from '../support/people-gateway.ts'
import { assertProblem } from '../support/problem-assertions.ts'

const DESCRIPTION = '/.well-known/openid-configuration'

/** What a provider, or something between it and Mint, may answer instead of OpenID Connect. */
const TROUBLES: Readonly<Record<string, (context: ProviderContext) => unknown>> = {
  'a login page in HTML': (context) => {
    context.type = 'html'
    context.body = '<!doctype html><title>Sign in to the guest network</title>'
    return true
  },
  'a proxy’s error': (context) => {
    Object.assign(context, { status: 502, body: { message: 'bad gateway' } })
    return true
  },
  'truncated JSON': (context) => {
    Object.assign(context, { type: 'json', body: '{"issuer":' })
    return true
  },
  'an endless body': (context) => {
    Object.assign(context, { type: 'json', body: Readable.from(endless()) })
    return true
  },
  'nothing at all': () => new Promise(() => undefined),
}

function* endless() {
  for (;;) yield ' '.repeat(65_536)
}

async function start() {
  const gateway = await startPeopleGateway()
  gateway.provider.accounts.set('olga', { name: 'Olga', groups: ['owners'] })
  return gateway
}

describe('While the identity provider', () => {
  it(`answers ${Object.keys(TROUBLES).join(', or ')}, sign-ins fail in time with an explanation, and work again afterwards`, async () => {
    const { provider, authorize, anotherGateway } = await start()
    for (const [what, trouble] of Object.entries(TROUBLES)) {
      // A gateway reads the description only until it has it.
      const gateway = await anotherGateway()
      const { call } = gateway
      const during = async (path: string, request: () => ReturnType<typeof call>) => {
        provider.trouble.answers = (context) => (context.path === path ? trouble(context) : undefined)
        const { detail } = assertProblem(await request(), 503, 'unavailable')
        assert.match(detail, /^The identity provider can’t be reached, or .* Try again later; API keys, and people/)
        delete provider.trouble.answers
      }
      await during(DESCRIPTION, () => call('GET', '/sign-in'))
      const answer = await authorize('olga', gateway)
      await during('/token', () => call('POST', '/sign-in', answer))
      const again = await authorize('olga', gateway)
      await during('/jwks', () => call('POST', '/sign-in', again))
      const after = await call('POST', '/sign-in', await authorize('olga', gateway))
      assert.equal(after.status, 201, `${what}: ${after.text}`)
    }
  })

  it('is slow, all sign-ins from one address share one wait', async () => {
    const { provider, port } = await startPeopleGateway({}, undefined, 1)
    let asked = 0
    provider.trouble.answers = () => new Promise(() => asked++)
    const answers = Array.from({ length: 40 }, async () => (await fetch(`http://127.0.0.1:${port}/sign-in`)).status)
    assert.deepEqual(new Set(await Promise.all(answers)), new Set([503]))
    assert.ok(asked < 5, `${asked}`)
  })

  it('is unavailable, a sign-in in progress is refused, and its code is not logged', async () => {
    const { provider, authorize, call, log } = await start()
    const answer = await authorize('olga')
    await provider.stop()
    assertProblem(await call('POST', '/sign-in', answer), 503, 'unavailable')
    assert.ok(!JSON.stringify(log.lines).includes(String(answer.code)))
  })

  it('does not answer in JSON, nothing of its answer is logged: it may be a token', async () => {
    const { provider, authorize, call, log } = await start()
    const answer = await authorize('olga')
    provider.trouble.answers = (context) => context.path === '/token' && Object.assign(context, { body: 'olgas-token' })
    assertProblem(await call('POST', '/sign-in', answer), 503, 'unavailable')
    const logged = JSON.stringify(log.lines)
    assert.match(logged, /no usable answer from .*JSON/)
    assert.doesNotMatch(logged, /olgas/)
  })

  it('has a different issuer, or is no identity provider, operators are told that the setting is wrong', async () => {
    const { provider, call } = await start()
    for (const body of [{ issuer: 'https://login.example.com' }, { issuer: provider.issuer }, {}, []]) {
      provider.trouble.answers = (context) => context.path === DESCRIPTION && Object.assign(context, { body })
      const { detail } = assertProblem(await call('GET', '/sign-in'), 503, 'unavailable')
      assert.match(detail, /must check OIDC_ISSUER/)
    }
  })

  it('does not accept Mint as its client, operators are told which settings to check', async () => {
    const { provider, call } = await startPeopleGateway({ OIDC_CLIENT_SECRET: 'not the one' })
    const { state } = (await call('GET', '/sign-in')).body
    const answer = { code: 'c', state, iss: provider.issuer }
    const { detail } = assertProblem(await call('POST', '/sign-in', answer), 503, 'unavailable')
    assert.match(detail, /must check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET/)
  })
})
