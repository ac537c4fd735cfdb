import assert from 'node:assert/strict'
import { CodedError } from '../../shared/calls/errors.ts'
import { atEnd } from '../support/cleanup.ts'
import { type GatewayUnderTest, startGateway } from '../support/gateway-fixture.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { waitFor } from '../support/wait-for.ts'

const LIMIT = 3
const NO_KEY = { authorization: undefined }
const WRONG_KEY = { authorization: 'Bearer mint_unknown-but-long-enough' }

describe('The rate limit by address', () => {
  async function limited(trustedProxies: readonly string[] = []): Promise<GatewayUnderTest['call']> {
    const getContract = async () => Promise.reject(new CodedError('not_found', 'There is nothing.'))
    const options = { publicRateLimitPerSecond: LIMIT, rateLimitPerSecond: LIMIT, trustedProxies }
    const gateway = atEnd.stop(await startGateway({ contracts: { getContract } } as never, options))
    // Opens connections and loads code, so that what follows falls within one window.
    await Promise.all(Array.from({ length: 5 }, () => gateway.call('GET', '/healthz', undefined, NO_KEY)))
    return gateway.call
  }

  type Request = readonly [method: string, path: string, headers?: Record<string, string | undefined>]
  const send = (call: GatewayUnderTest['call'], requests: readonly Request[]) =>
    Promise.all(requests.map(([method, path, headers]) => call(method, path, undefined, headers)))
  const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort()

  it('counts every request refused for lack of a valid key, and answers 429 beyond the limit', async () => {
    const call = await limited()
    const answers = await send(call, [
      ['GET', '/contracts/7', NO_KEY],
      ['GET', '/contracts/7', WRONG_KEY],
      ['GET', '/nowhere', NO_KEY],
      ['DELETE', '/contracts/7', NO_KEY],
      ['GET', '/%zz', WRONG_KEY],
    ])
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(refused.length, 2)
    for (const answer of refused) {
      const { detail } = assertProblem(answer, 429, 'rate_limited')
      assert.match(detail, /without a valid API key/)
      assert.equal(answer.headers.get('retry-after'), '1')
    }
    assertProblem(await call('GET', '/contracts/7'), 404, 'not_found')
    await waitFor(async () => (await call('GET', '/nowhere', undefined, NO_KEY)).status === 404, { every: 50 })
  })

  it('counts public paths with or without a key, except /healthz, /readyz and the console’s files', async () => {
    const call = await limited()
    const paths = ['/openapi.json', '/docs', '/openapi.json', '/docs', '/docs/start.js']
    assert.deepEqual(
      statuses(
        await send(
          call,
          paths.map((path) => ['GET', path] as const),
        ),
      ),
      [200, 200, 200, 429, 429],
    )
    const health = ['/healthz', '/readyz', '/healthz', '/readyz', '/console/x/start.ts']
    const asked = await send(
      call,
      health.map((path) => ['GET', path, NO_KEY] as const),
    )
    assert.deepEqual(statuses(asked), [200, 200, 200, 200, 200])
  })

  it('counts refused requests with a valid key only against the limit of that key', async () => {
    const call = await limited()
    const answers = await send(call, [
      ['GET', '/nowhere'],
      ['DELETE', '/contracts/7'],
      ['GET', '/%zz'],
      ['GET', '/contracts/x'],
    ])
    // Sent at once, they arrive in any order: one of them is the fourth.
    assert.equal(answers.filter(({ status }) => status === 429).length, 1)
    const refusals = [404, 405, 400, 400]
    assert.deepEqual(
      answers.map(({ status }, n) => (status === 429 ? refusals[n] : status)),
      refusals,
    )
    assert.equal((await call('GET', '/nowhere', undefined, NO_KEY)).status, 404)
  })

  it('reads the address from X-Forwarded-For if the proxy is trusted, and counts an IPv6 address by its /64', async () => {
    const from = (address: string): Request => ['GET', '/nowhere', { ...NO_KEY, 'x-forwarded-for': address }]
    const trusting = await limited(['loopback', '10.0.0.0/8'])
    const other = await send(trusting, [from('1.1.1.1'), from('1.1.1.2'), from('1.1.1.3'), from('1.1.1.4')])
    assert.deepEqual(statuses(other), [404, 404, 404, 404])
    const same = ['2001:db8::1', '2001:db8::2, 10.1.2.3', '9.9.9.9, 2001:db8:0:0:f::3', '2001:db8::4']
    assert.deepEqual(statuses(await send(trusting, same.map(from))), [404, 404, 404, 429])
    const withPorts = ['1.1.1.1:1024', '[2001:db8::5]:1025', '[2001:db8:1::]:1026', '1.1.1.5:1027', '1.1.1.6:1028']
    assert.deepEqual(statuses(await send(trusting, withPorts.map(from))), [404, 404, 404, 404, 429])
    const withoutTrust = await limited()
    const claimed = await send(withoutTrust, [from('1.1.1.1'), from('1.1.1.2'), from('1.1.1.3'), from('1.1.1.4')])
    assert.deepEqual(statuses(claimed), [404, 404, 404, 429])
  })
})
