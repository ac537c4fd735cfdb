import assert from 'node:assert/strict'
import { CodedError } from '../../shared/calls/errors.ts'
import { createKeyLanes } from '../../shared/calls/lanes.ts'
import { atEnd } from '../support/cleanup.ts'
import { startGateway, TEST_KEY_ID } from '../support/gateway-fixture.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'

describe('A large body whose turn comes too late', () => {
  it('is refused with 429, and never reaches a service', async () => {
    const asked: unknown[] = []
    const createContract = async ({ notes }: { notes: string }) => {
      asked.push(notes.charAt(0))
      throw new CodedError('idempotency_key_reused', 'It was another request.')
    }
    const lanes = createKeyLanes(300)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const parsing = lanes(TEST_KEY_ID, 'large-message', () => held)
    const options = { lanes, timeouts: { service: 500 } }
    const gateway = atEnd.stop(await startGateway({ contracts: { createContract } } as never, options))
    const create = (letter: string, length: number) =>
      gateway.call('POST', '/contracts', { ...aNewContract(), notes: letter.repeat(length) })
    assertProblem(await create('a', 9_000), 429, 'rate_limited')
    assertProblem(await create('b', 1), 409, 'idempotency_key_reused')
    release()
    await parsing
    assertProblem(await create('c', 9_000), 409, 'idempotency_key_reused')
    assert.deepEqual(asked, ['b', 'c'])
  })
})
