import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { countPerSecond } from '../../shared/calls/count-per-second.ts'
import { createKeyLanes } from '../../shared/calls/lanes.ts'
import type { GrpcAccess } from '../../shared/rpc/access/admission.ts'
import { staticApiKeys } from './static-api-keys.ts'

/** The secret with which Mint's own processes authenticate in tests. */
export const TEST_SECRET = 'a-secret-of-the-suites'
export const testSecrets = () => [TEST_SECRET]

/** A key with all scopes, for gRPC and REST. */
export const TEST_KEY = 'mint_a-key-for-the-gateway-suites'
export const TEST_KEY_ID = configuredKey(TEST_KEY).id

/** Admits this secret and this key. */
export const testAccess: GrpcAccess = {
  apiKeys: staticApiKeys([configuredKey(TEST_KEY)]),
  secrets: testSecrets,
  countKey: countPerSecond(1_000_000),
  lanes: createKeyLanes(1_000_000),
}

/** Credentials as gRPC metadata or HTTP headers: of one of Mint's own processes, and of a caller with a key. */
export const asProcess = { 'mint-service-secret': TEST_SECRET }
export const withKey = (key = TEST_KEY) => ({ authorization: `Bearer ${key}` })
