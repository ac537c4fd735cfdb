import assert from 'node:assert/strict'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import { atEnd } from '../support/cleanup.ts'
import { startGateway } from '../support/gateway-fixture.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'
import { waitFor } from '../support/wait-for.ts'

describe('The rate limit', () => {
  async function limitedTo(rateLimitPerSecond: number) {
    const getContract = async () => Promise.reject(new CodedError('not_found', 'There is nothing.'))
    const keys = ['mint_first-key-of-the-suite', 'mint_second-key-of-the-suite']
    const gateway = await startGateway({ contracts: { getContract } } as never, {
      apiKeys: staticApiKeys(keys.map(configuredKey)),
      rateLimitPerSecond,
    })
    atEnd(() => gateway.stop())
    // Opens connections and loads code, so that what follows falls within one window.
    await Promise.all(Array.from({ length: 5 }, () => gateway.call('GET', '/healthz')))
    return (key: 0 | 1) => gateway.call('GET', '/contracts/7', undefined, { authorization: `Bearer ${keys[key]}` })
  }

  it('counts each key separately, reports what remains, and refuses requests above it', async () => {
    const call = await limitedTo(3)
    const answers = await Promise.all([call(0), call(0), call(0), call(0), call(1)])
    const [last] = answers.filter(({ status }) => status === 429)
    assert.deepEqual(answers.map(({ status }) => status).sort(), [404, 404, 404, 404, 429])
    assert.ok(last)
    assertProblem(last, 429, 'rate_limited')
    assert.equal(last.headers.get('retry-after'), '1')
    assert.equal(last.headers.get('ratelimit'), '"default";r=0;t=1')
    for (const { headers } of answers) assert.equal(headers.get('ratelimit-policy'), '"default";q=3;w=1')
    const remaining = answers.slice(0, 4).map(({ headers }) => headers.get('ratelimit'))
    assert.deepEqual(
      remaining.sort(),
      [0, 0, 1, 2].map((left) => `"default";r=${left};t=1`),
    )
    assert.equal(answers[4]?.headers.get('ratelimit'), '"default";r=2;t=1')
  })

  it('accepts the key again after the window', async () => {
    const call = await limitedTo(1)
    await Promise.all([call(0), call(0)])
    await waitFor(async () => (await call(0)).status === 404, { what: 'the window to end', every: 50 })
  })
})
