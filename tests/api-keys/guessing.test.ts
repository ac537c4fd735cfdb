import assert from 'node:assert/strict'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { accessServer, short } from '../support/access-server.ts'
import { asProcess, TEST_KEY, withKey } from '../support/grpc-access.ts'
import { grpcCall } from '../support/grpc-call.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'
import { waitFor } from '../support/wait-for.ts'

const READ = '/mint.contracts.v1.ContractsService/GetContract'
const WRONG = [
  ['no key', {}, 'missing_api_key'],
  ['a wrong key', withKey('mint_nobody-has-this-one'), 'invalid_api_key'],
  ['a wrong secret', { 'mint-service-secret': 'a-guess-at-the-secret' }, 'invalid_api_key'],
] as const

describe('Guessing over gRPC', () => {
  for (const [what, metadata, reason] of WRONG) {
    it(`with ${what} is rate-limited by address, causes no key lookups once limited, and affects no other caller`, async () => {
      const known = staticApiKeys([configuredKey(TEST_KEY)])
      let looks = 0
      const find: typeof known.find = (sha256) => {
        looks += 1
        return known.find(sha256)
      }
      const { address } = await accessServer({ apiKeys: { ...known, find }, guessesPerSecond: 2 })
      const outcomes = await Promise.all(Array.from({ length: 30 }, () => grpcCall(address, READ, metadata)))
      const limited = outcomes.filter(({ code }) => code === 'RESOURCE_EXHAUSTED').map(short)
      assert.ok(limited.length > 0)
      assert.deepEqual(limited, Array(limited.length).fill(['RESOURCE_EXHAUSTED', 'rate_limited']))
      const rest = outcomes.filter(({ code }) => code !== 'RESOURCE_EXHAUSTED').map(short)
      assert.deepEqual(rest, Array(rest.length).fill(['UNAUTHENTICATED', reason]))
      assert.equal(looks, what === 'a wrong key' ? rest.length : 0)
      const good = await Promise.all([withKey(), asProcess].map((own) => grpcCall(address, READ, own)))
      assert.deepEqual(good.map(short), Array(2).fill(['OK', undefined]))
      await waitFor(async () => (await grpcCall(address, READ, metadata)).reason === reason, { every: 300 })
    })
  }
})
