import assert from 'node:assert/strict'
import {
  CreateContractRequest,
  CreateContractResponse,
  GetContractRequest,
} from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { withKey } from './grpc-access.ts'
import { type GrpcOutcome, grpcCall } from './grpc-call.ts'
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
const INVALID = {
  code: 'UNAUTHENTICATED',
  reason: 'invalid_api_key',
  details: 'This API key is not valid. Send a valid one as metadata: authorization: Bearer mint_<API_KEY>.',
}

/** Registers tests, in the running suite, of the rules for callers of both gRPC ports. */
export function grpcKeyRules(mint: () => MintWithPorts): void {
  const createKey = async (scopes: readonly string[], expiresAt: string | null = null) =>
    (await mint().admin('POST', '/api-keys', { name: 'Billing', scopes, expiresAt })).body as {
      id: string
      key: string
    }
  const create = (metadata: Record<string, string>, changes: object = {}) => {
    const request = { ...aNewContract(), serviceFee: '150', taxPercent: '13', ...changes }
    return grpcCall(mint().contractsAddress, CREATE, metadata, CreateContractRequest.encode(request).finish())
  }
  const created = ({ code, answer, details }: GrpcOutcome) => {
    assert.equal(code, 'OK', details)
    return CreateContractResponse.decode(answer ?? Buffer.alloc(0))
  }
  const onBothPorts = (key: string) =>
    Promise.all([
      grpcCall(mint().contractsAddress, GET, withKey(key), GetContractRequest.encode({ id: 999_999 }).finish()),
      grpcCall(mint().businessesAddress, LIST_BUSINESSES, withKey(key)),
    ])
  const codesOf = async (key: string) => (await onBothPorts(key)).map(({ code }) => code).join()
  const READS = ['contracts:read', 'businesses:read']

  it('refuse callers without a key on both ports, even over loopback', async () => {
    const { contractsAddress, businessesAddress } = mint()
    const outcomes = [await grpcCall(contractsAddress, GET), await grpcCall(businessesAddress, LIST_BUSINESSES)]
    const details = 'No API key was given. Send it as metadata: authorization: Bearer mint_<API_KEY>.'
    assert.deepEqual(outcomes, Array(2).fill({ code: 'UNAUTHENTICATED', reason: 'missing_api_key', details }))
  })

  it('accept a new key immediately, and refuse it as unknown on both ports within 5 s of its revocation', async () => {
    const { id, key } = await createKey(READS)
    assert.equal(await codesOf(key), 'NOT_FOUND,OK')
    assert.equal((await mint().admin('DELETE', `/api-keys/${id}`)).status, 204)
    await waitFor(async () => (await codesOf(key)) === 'UNAUTHENTICATED,UNAUTHENTICATED', { timeout: 5_000 })
    assert.deepEqual(await onBothPorts(key), [INVALID, INVALID])
    assert.deepEqual(await onBothPorts(`mint_${'x'.repeat(36)}`), [INVALID, INVALID])
  }).timeout(20_000)

  it('refuse a key that has expired like an unknown one', async () => {
    const end = Date.now() + 2_000
    const { key } = await createKey(READS, new Date(end).toISOString())
    assert.equal(await codesOf(key), 'NOT_FOUND,OK')
    await waitFor(() => Date.now() > end, { what: 'the expiry' })
    assert.deepEqual(await onBothPorts(key), [INVALID, INVALID])
  }).timeout(20_000)

  it('refuse calls for which the key lacks the scope', async () => {
    const { key } = await createKey(READS)
    const { code, reason } = await create(withKey(key))
    assert.deepEqual([code, reason], ['PERMISSION_DENIED', 'insufficient_scope'])
  })

  it('record the key as the actor, regardless of the actor that the caller claims', async () => {
    const { id, key } = await createKey(['contracts:write'])
    const { contract } = created(await create(withKey(key)))
    const { events } = (await mint().admin('GET', `/contracts/${contract?.id}/history`)).body
    assert.deepEqual([events[0].by, events[0].byName], [id, 'Billing'])
    const pretended = await create({ ...withKey(key), 'mint-actor': '11111111-1111-4111-8111-111111111111' })
    assert.deepEqual([pretended.code, pretended.reason], ['PERMISSION_DENIED', 'insufficient_scope'])
  })

  it('write once what a key sends twice with one commit id, and keep different keys’ commit ids separate', async () => {
    const [one, other] = [await createKey(['contracts:write']), await createKey(['contracts:write'])]
    const named = (key: string, changes = {}) => create({ ...withKey(key), 'mint-commit-id': 'order-1' }, changes)
    const first = created(await named(one.key))
    assert.deepEqual(created(await named(one.key)), { ...first, replayed: true })
    const reused = await named(one.key, { serviceName: 'Payroll run' })
    assert.deepEqual([reused.code, reused.reason], ['ALREADY_EXISTS', 'idempotency_key_reused'])
    const others = created(await named(other.key))
    assert.deepEqual([others.replayed, others.contract?.id !== first.contract?.id], [false, true])
  })

  it('recognize a commit id that the same key has sent over REST as an Idempotency-Key', async () => {
    const { key } = await createKey(['contracts:write'])
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'order-2' }
    assert.equal((await mint().admin('POST', '/contracts', aNewContract(), headers)).status, 201)
    const reused = await create({ ...withKey(key), 'mint-commit-id': 'order-2' })
    assert.deepEqual([reused.code, reused.reason], ['ALREADY_EXISTS', 'idempotency_key_reused'])
  })
}
