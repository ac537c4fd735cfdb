import assert from 'node:assert/strict'
import { CodedError } from '../../shared/calls/errors.ts'
import { atEnd } from '../support/cleanup.ts'
import { startGateway } from '../support/gateway-fixture.ts'
import { waitFor } from '../support/wait-for.ts'

describe('Concurrent list requests of a key', () => {
  it('are read four at a time, and don’t block its reads of records', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    let [running, peak] = [0, 0]
    const listContracts = async () => {
      peak = Math.max(peak, ++running)
      await held
      running--
      return { contracts: [], total: 0 }
    }
    const getContract = async () => Promise.reject(new CodedError('not_found', 'There is nothing.'))
    const services = { contracts: { listContracts, getContract } } as never
    const { call } = atEnd.stop(await startGateway(services, { rateLimitPerSecond: 300 }))
    const lists = Array.from({ length: 10 }, () => call('GET', '/contracts'))
    await waitFor(() => running >= 4, { what: 'four of ten' })
    assert.equal((await call('GET', '/contracts/7')).status, 404)
    release()
    assert.deepEqual(new Set((await Promise.all(lists)).map(({ status }) => status)), new Set([200]))
    assert.equal(peak, 4)
  })
})
