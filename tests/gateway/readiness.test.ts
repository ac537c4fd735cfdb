import assert from 'node:assert/strict'
import { createReadiness } from '../../shared/runtime/process/readiness.ts'
import { atEnd } from '../support/cleanup.ts'
import { emptyServices } from '../support/empty-services.ts'
import { startGateway } from '../support/gateway-fixture.ts'

describe('/readyz', () => {
  const away = new Set<string>()
  afterEach(() => away.clear())

  async function startWithoutKey() {
    const checks = ['contracts', 'businesses', 'keys'].map((name) => ({
      name,
      check: async () => assert.ok(!away.has(name), 'mongodb://user:password@host is away'),
    }))
    const gateway = await startGateway(emptyServices, { readiness: createReadiness(checks, { freshMilliseconds: 0 }) })
    atEnd(() => gateway.stop())
    return (method: string) => gateway.call(method, '/readyz', undefined, { authorization: undefined })
  }

  it('answers 200 when all dependencies of the gateway are available', async () => {
    const ask = await startWithoutKey()
    const ready = await ask('GET')
    assert.deepEqual([ready.status, ready.body], [200, { status: 'ready', missing: [] }])
    assert.equal((await ask('HEAD')).status, 200)
    assert.equal((await ask('POST')).status, 405)
  })

  it('answers 503 with only the names of unavailable dependencies, and 200 once they are back', async () => {
    const ask = await startWithoutKey()
    away.add('businesses').add('keys')
    const notReady = await ask('GET')
    assert.deepEqual([notReady.status, notReady.body], [503, { status: 'not ready', missing: ['businesses', 'keys'] }])
    assert.equal(notReady.headers.get('retry-after'), '1')
    away.clear()
    assert.equal((await ask('GET')).status, 200)
  })
})
