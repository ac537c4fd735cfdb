import assert from 'node:assert/strict'
import { CodedError } from '../../shared/calls/errors.ts'
import type { TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'
import type { CalledServices } from '../../shared/kinds/services.ts'
import { thisProcess } from '../../shared/runtime/this-process.ts'
import { atEnd } from '../support/cleanup.ts'
import { emptyServices } from '../support/empty-services.ts'
import { overEachTransport, startGateway } from '../support/gateway-fixture.ts'
import { assertInvalid } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

const KEY = '01985b7e-3c5e-7a52-b1cf-6d1c3a1f0c55'

const nonsense = (value: string): TopicMessage => ({
  key: KEY,
  headers: {
    ce_specversion: '1.0',
    ce_id: 'other/1',
    ce_source: 'other',
    ce_type: 'mint.business.created.v1',
    ce_time: '2026-01-31T09:30:00Z',
  },
  value,
})

overEachTransport('Operations', (call, mint) => {
  const read = async (path: string) => {
    const { status, body } = await call('GET', path)
    assert.equal(status, 200)
    return body
  }
  const caughtUp = (name: string, position: number) => ({ name, position, lagEvents: 0, lagSeconds: 0 })
  const service = (name: string, position: number, views: readonly string[]) => ({
    name,
    problem: null,
    status: {
      engine: 'sqlite',
      position,
      views: views.map((view) => caughtUp(view, position)),
      process: thisProcess,
      processes: [thisProcess],
    },
  })

  it('show the status of Mint: readiness, processes, positions and lags', async () => {
    assert.equal((await call('POST', '/contracts', aNewContract())).status, 201)
    assert.equal((await call('POST', '/businesses', { legalName: 'École du Nord' })).status, 201)
    const settled = async () => (await read('/operations/status')).relay.lagEvents === 0
    await waitFor(settled, { what: 'the relay' })
    assert.deepEqual(await read('/operations/status'), {
      ready: true,
      missing: [],
      services: [
        service('gateway', 0, ['api_keys', 'webhooks']),
        service('contracts', 2, ['contracts', 'clients', 'closings', 'firms', 'proposals']),
        service('businesses', 1, ['businesses']),
      ],
      relay: { position: 1, lagEvents: 0, lagSeconds: 0 },
      contractsRelay: null,
      unhandledMessages: 0,
      deadLetters: 0,
      topicProblems: [],
      contractsTopicProblems: [],
    })
  })

  it('list dead letters without their values, and replay them', async () => {
    const secret = 'taxId 123-456'
    await mint().handle([nonsense(`{"${secret}`), nonsense(`["${secret}"]`)])
    const { deadLetters, total } = await read('/operations/dead-letters')
    assert.equal(total, 2)
    assert.deepEqual(Object.keys(deadLetters[0]), ['id', 'at', 'reason', 'topic', 'type', 'key', 'isCut'])
    const { topic, type, key, reason } = deadLetters[1]
    assert.deepEqual([topic, type, key], ['mint.businesses.v1', 'mint.business.created.v1', KEY])
    assert.match(reason, /^Not a valid business event: value/)
    assert.doesNotMatch(JSON.stringify(deadLetters[1]), /123-456/)
    assert.deepEqual((await read('/operations/dead-letters?limit=1&offset=1')).deadLetters, [deadLetters[1]])
    const { headers } = await call('GET', '/operations/dead-letters?limit=1')
    assert.equal(headers.get('link'), '</operations/dead-letters?limit=1&offset=1>; rel="next"')
    assert.equal((await read('/operations/status')).deadLetters, 2)

    const path = '/operations/dead-letters/replay'
    const [first, second] = deadLetters.map(({ id }: { id: string }) => id)
    const all = await call('POST', path)
    const again = [first, second].map((id) => ({ id, outcome: 'set_aside_again' }))
    assert.deepEqual([all.status, all.body], [200, { replayed: again, remaining: 2 }])
    const some = await call('POST', path, { ids: [second, '000000000000'] })
    const replayed = [again[1], { id: '000000000000', outcome: 'not_found' }]
    assert.deepEqual([some.status, some.body], [200, { replayed, remaining: 2 }])
  })

  it('refuse a replay with no, too many or malformed ids, or with an Idempotency-Key', async () => {
    const replay = (ids: unknown, headers = {}) => call('POST', '/operations/dead-letters/replay', { ids }, headers)
    assertInvalid(await replay([]), ['body /ids out_of_range'])
    assertInvalid(await replay(Array(101).fill('000000000000')), ['body /ids out_of_range'])
    assertInvalid(await replay(['x', 1]), ['body /ids/0 invalid_id', 'body /ids/1 wrong_type'])
    const once = { 'idempotency-key': 'once' }
    assertInvalid(await replay(['000000000000'], once), ['header /Idempotency-Key malformed_header'])
  })
})

describe('The status', () => {
  const UNAVAILABLE = new CodedError('unavailable', 'The service is unavailable: try again.')

  async function statusWith(services: Partial<CalledServices>) {
    const readiness = async () => ({ ready: false, missing: ['contracts'] })
    const gateway = atEnd.stop(await startGateway({ ...emptyServices, ...services }, { readiness }))
    return await gateway.call('GET', '/operations/status')
  }

  it('is 200 while a service is unavailable, and names the service and the reason', async () => {
    const getStatus = () => Promise.reject(UNAVAILABLE)
    const { status, body } = await statusWith({ contractsStatus: { getStatus } })
    assert.deepEqual([status, body.ready, body.missing], [200, false, ['contracts']])
    const [gateway, contracts, businesses] = body.services
    assert.deepEqual(contracts, { name: 'contracts', problem: UNAVAILABLE.message, status: null })
    assert.deepEqual([gateway.problem, businesses.problem], [null, null])
    assert.deepEqual([body.unhandledMessages, body.deadLetters], [null, null])
  })

  it('does not wait for a service that hangs', async () => {
    const getStatus = () => new Promise<never>(() => undefined)
    const { status, body } = await statusWith({ businessesStatus: { getStatus } })
    assert.deepEqual([status, body.services[2].problem], [200, 'No answer within 2 seconds.'])
    assert.deepEqual([body.relay, body.topicProblems], [null, null])
  })
})
