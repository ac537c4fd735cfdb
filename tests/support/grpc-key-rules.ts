import assert from 'node:assert/strict'
import {
  CreateContractRequest,
  CreateContractResponse,
  GetContractRequest,
} from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { withKey } from './grpc-access.ts'
import { grpcCall } from './grpc-call.ts'
import { assertProblem } from './problem-assertions.ts'
import { aNewContract, type Rest } from './rest.ts'
import { waitFor } from './wait-for.ts'

/** A running Mint, in one process or several. */
export interface MintWithPorts {
  readonly contractsAddress: string
  readonly businessesAddress: string
  /** With a key that has all scopes. */
  readonly admin: Rest
}

const GET = '/mint.contracts.v1.ContractsService/GetContract'
const CREATE = '/mint.contracts.v1.ContractsService/CreateContract'
const LIST_BUSINESSES = '/mint.businesses.v1.BusinessesService/ListBusinesses'
/** The id of a commit, which over REST is its Idempotency-Key. */
const COMMIT = 'order-1'
const INVALID = {
  code: 'UNAUTHENTICATED',
  reason: 'invalid_api_key',
  details: 'This API key is not valid. Send a valid one as metadata: authorization: Bearer mint_<API_KEY>.',
}

/**
 * Registers tests, in the running suite, that both gRPC ports check keys, and that they follow the gateway’s keys. Which
 * calls a key may make is tested in tests/api-keys/over-grpc.test.ts.
 */
export function grpcKeyRules(mint: () => MintWithPorts): void {
  const createKey = async (scopes: readonly string[]): Promise<{ readonly id: string; readonly key: string }> =>
    (await mint().admin('POST', '/api-keys', { name: 'Billing', scopes })).body
  const create = async (key: string): Promise<CreateContractResponse> => {
    const request = { ...aNewContract(), serviceFee: '150', taxPercent: '13' }
    const metadata = { ...withKey(key), 'mint-commit-id': COMMIT }
    const sent = CreateContractRequest.encode(request).finish()
    const { code, answer, details } = await grpcCall(mint().contractsAddress, CREATE, metadata, sent)
    assert.equal(code, 'OK', details)
    return CreateContractResponse.decode(answer ?? Buffer.alloc(0))
  }
  const onBothPorts = (key: string) =>
    Promise.all([
      grpcCall(mint().contractsAddress, GET, withKey(key), GetContractRequest.encode({ id: 999_999 }).finish()),
      grpcCall(mint().businessesAddress, LIST_BUSINESSES, withKey(key)),
    ])
  const codesOf = async (key: string) => (await onBothPorts(key)).map(({ code }) => code).join()

  it('refuse callers without a key on both ports, even over loopback', async () => {
    const { contractsAddress, businessesAddress } = mint()
    const outcomes = [await grpcCall(contractsAddress, GET), await grpcCall(businessesAddress, LIST_BUSINESSES)]
    const details = 'No API key was given. Send it as metadata: authorization: Bearer mint_<API_KEY>.'
    assert.deepEqual(outcomes, Array(2).fill({ code: 'UNAUTHENTICATED', reason: 'missing_api_key', details }))
  })

  it('accept a new key immediately, and refuse it as unknown on both ports within 5 s of its revocation', async () => {
    const { id, key } = await createKey(['contracts:read', 'businesses:read'])
    assert.equal(await codesOf(key), 'NOT_FOUND,OK')
    assert.equal((await mint().admin('DELETE', `/api-keys/${id}`)).status, 204)
    await waitFor(async () => (await codesOf(key)) === 'UNAUTHENTICATED,UNAUTHENTICATED', { timeout: 5_000 })
    assert.deepEqual(await onBothPorts(key), [INVALID, INVALID])
    assert.deepEqual(await onBothPorts(`mint_${'x'.repeat(36)}`), [INVALID, INVALID])
  })

  it('write for a key as its actor, and once for each of its commit ids, over gRPC or REST', async () => {
    const [one, other] = [await createKey(['contracts:write']), await createKey(['contracts:write'])]
    const first = await create(one.key)
    const { events } = (await mint().admin('GET', `/contracts/${first.contract?.id}/history`)).body
    assert.deepEqual([events[0].by, events[0].byName], [one.id, 'Billing'])
    assert.deepEqual(await create(one.key), { ...first, replayed: true })
    const others = await create(other.key)
    assert.deepEqual([others.replayed, others.contract?.id !== first.contract?.id], [false, true])
    const headers = { authorization: `Bearer ${one.key}`, 'idempotency-key': COMMIT }
    const reused = await mint().admin('POST', '/contracts', aNewContract({ serviceName: 'Payroll run' }), headers)
    assertProblem(reused, 409, 'idempotency_key_reused')
  })
}
