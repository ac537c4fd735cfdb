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

  it('are not read if their turn comes after they were answered that it took too long', async () => {
    const asked: number[] = []
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const listContracts = async ({ offset }: { offset: number }) => {
      asked.push(offset)
      await held
      return { contracts: [], total: 0 }
    }
    const timeouts = { service: 100 }
    const options = { rateLimitPerSecond: 300, timeouts }
    const gateway = atEnd.stop(await startGateway({ contracts: { listContracts } } as never, options))
    const list = (offset: number) => gateway.call('GET', `/contracts?offset=${offset}`)
    const late = await Promise.all(Array.from({ length: 20 }, (_, index) => list(index)))
    assert.deepEqual(new Set(late.map(({ status }) => status)), new Set([503]))
    release()
    await waitFor(async () => (await list(20)).status === 200)
    assert.equal(asked.filter((offset) => offset < 20).length, 4)
  })
})
