import assert from 'node:assert/strict'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import { atEnd } from '../support/cleanup.ts'
import { block, countTurns } from '../support/count-turns.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'

describe('Requests of a key that arrive together', () => {
  it('are started over several turns of the event loop, so that others have their turn in between', async () => {
    const counted = countTurns()
    atEnd(() => counted.stop())
    const turns: number[] = []
    const getContract = async () => {
      turns.push(counted.now())
      block(4)
      throw new CodedError('not_found', 'There is nothing.')
    }
    const apiKeys = staticApiKeys([configuredKey(TEST_KEY)])
    const gateway = await startGateway({ contracts: { getContract } } as never, { apiKeys })
    atEnd(() => gateway.stop())
    const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.call('GET', '/contracts/7')))
    assert.ok(answers.every(({ status }) => status === 404))
    assert.deepEqual([turns.length, new Set(turns).size], [20, 20])
  })
})
