import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import { atEnd } from '../support/cleanup.ts'
import { block, countTurns } from '../support/count-turns.ts'
import { startGateway } from '../support/gateway-fixture.ts'
import { TEST_KEY } from '../support/grpc-access.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'

const OTHER_KEY = 'mint_another-key-of-some-length'

describe('Requests of a key that arrive together', () => {
  /** A gateway before a service that takes longer than a key's share of a turn. */
  async function given() {
    const counted = countTurns()
    atEnd(() => counted.stop())
    const begun: { readonly actor: string; readonly turn: number }[] = []
    const getContract = async (_: unknown, { actor }: CallContext) => {
      begun.push({ actor, turn: counted.now() })
      block(4)
      throw new CodedError('not_found', 'There is nothing.')
    }
    const [one, other] = [configuredKey(TEST_KEY), configuredKey(OTHER_KEY)]
    const apiKeys = staticApiKeys([one, other])
    const gateway = await startGateway({ contracts: { getContract } } as never, { apiKeys })
    atEnd(() => gateway.stop())
    return { gateway, begun, one, other }
  }

  it('are started over several turns of the event loop, so that others have their turn in between', async () => {
    const { gateway, begun } = await given()
    const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.call('GET', '/contracts/7')))
    assert.ok(answers.every(({ status }) => status === 404))
    assert.deepEqual([begun.length, new Set(begun.map(({ turn }) => turn)).size], [20, 20])
  })

  it('don’t delay another key’s over a connection that both use, as behind a proxy', async () => {
    const { gateway, begun, one, other } = await given()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    atEnd(() => agent.destroy())
    async function getAs(key: string): Promise<void> {
      const headers = { authorization: `Bearer ${key}` }
      const [answer] = await once(get({ port: gateway.port, path: '/contracts/7', agent, headers }), 'response')
      await once(answer.resume(), 'end')
    }
    await getAs(TEST_KEY)
    const calling = new AbortController()
    const others = Array.from({ length: 60 }, async () => {
      while (!calling.signal.aborted) await gateway.call('GET', '/contracts/7')
    })
    while (begun.length < 60) await new Promise((resolve) => setImmediate(resolve))
    const before = begun.length
    await getAs(OTHER_KEY)
    calling.abort()
    await Promise.all(others)
    assert.equal(begun[0]?.actor, one.principal)
    const waited = begun.findIndex(({ actor }) => actor === other.principal) - before
    assert.ok(waited < 30, `${waited} requests of the first key were started before it`)
  })
})
