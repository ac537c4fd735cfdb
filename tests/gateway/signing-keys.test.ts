import assert from 'node:assert/strict'
import { CodedError } from '../../shared/calls/errors.ts'
import { newKeyPair } from '../../shared/events/signature.ts'
import { atEnd } from '../support/cleanup.ts'
import { emptyServices } from '../support/empty-services.ts'
import { overEachTransport, startGateway } from '../support/gateway-fixture.ts'

const PATH = '/.well-known/mint-keys.json'
const WITHOUT_KEY = { authorization: undefined }

overEachTransport('The keys that messages are signed with', (call) => {
  it('are a public JWK set with the keys of both services', async () => {
    const { status, body } = await call('GET', PATH, undefined, WITHOUT_KEY)
    assert.equal(status, 200)
    assert.equal(body.keys.length, 2)
    for (const { x, kid, ...others } of body.keys) {
      assert.deepEqual(others, { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' })
      assert.deepEqual([Buffer.from(x, 'base64url').length, Buffer.from(kid, 'base64url').length], [32, 32])
    }
    assert.equal((await call('HEAD', PATH, undefined, WITHOUT_KEY)).status, 200)
    assert.equal((await call('POST', PATH, undefined, WITHOUT_KEY)).status, 405)
  })
})

describe('The keys that messages are signed with', () => {
  async function startWith(getSigningKeys: typeof emptyServices.businessesRelay.getSigningKeys) {
    const businessesRelay = { ...emptyServices.businessesRelay, getSigningKeys }
    const gateway = atEnd.stop(await startGateway({ ...emptyServices, businessesRelay }))
    return () => gateway.call('GET', PATH, undefined, WITHOUT_KEY)
  }

  it('are fetched only once every few seconds, however many callers request them', async () => {
    let asked = 0
    const { kid, x } = newKeyPair()
    const get = await startWith(async () => {
      asked += 1
      return { keys: [{ kid, x }] }
    })
    const answers = await Promise.all(Array.from({ length: 20 }, get))
    assert.deepEqual([asked, answers.map(({ body }) => body.keys[0].kid)], [1, Array(20).fill(kid)])
  })

  it('are unavailable while a service is down and none are cached, and available again afterwards', async () => {
    let isAway = true
    const get = await startWith(async () => {
      if (isAway) throw new CodedError('unavailable', 'The service is unavailable: try again.')
      return { keys: [] }
    })
    const { status, body, headers } = await get()
    assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'unavailable', '1'])
    isAway = false
    assert.equal((await get()).status, 200)
  })
})
