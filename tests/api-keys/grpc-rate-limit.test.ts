import assert from 'node:assert/strict'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { countPerSecond } from '../../shared/calls/count-per-second.ts'
import { createKeyLanes } from '../../shared/calls/lanes.ts'
import { ContractsServiceService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import type { GrpcService } from '../../shared/rpc/server/grpc-server.ts'
import { accessServer, short } from '../support/access-server.ts'
import { asProcess, TEST_KEY, TEST_KEY_ID, testAccess, withKey } from '../support/grpc-access.ts'
import { grpcCall } from '../support/grpc-call.ts'
import { grpcServer } from '../support/grpc-server.ts'
import { startedMint } from '../support/mint-process.ts'
import { askReflection, listServices } from '../support/plain-grpc.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

const READ = '/mint.contracts.v1.ContractsService/GetContract'
const ONE_KEY = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
const ANOTHER_KEY = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c'
const REFUSED = ['RESOURCE_EXHAUSTED', 'rate_limited']

describe('The rate limit of a key over gRPC', () => {
  /** A server with a limit of three calls, in a window that never ends. */
  async function limited() {
    const counts = new Map<string, number>()
    const countKey = (id: string) => {
      const count = (counts.get(id) ?? 0) + 1
      counts.set(id, count)
      return { isRefused: count > 3, left: Math.max(0, 3 - count) }
    }
    return { ...(await accessServer({ countKey })), counts }
  }

  it('refuses calls above it, and also counts those refused for other reasons', async () => {
    const { address, seen } = await limited()
    const named = { ...withKey(), 'mint-actor': 'x' }
    assert.deepEqual(short(await grpcCall(address, READ, named)), ['PERMISSION_DENIED', 'insufficient_scope'])
    const outcomes = []
    for (let count = 0; count < 4; count++) outcomes.push(short(await grpcCall(address, READ, withKey())))
    assert.deepEqual(outcomes, [['OK', undefined], ['OK', undefined], REFUSED, REFUSED])
    assert.equal(seen.length, 2)
  })

  it('does not apply to Mint’s own processes, whose callers the gateway has already counted', async () => {
    const { address, counts } = await limited()
    for (let count = 0; count < 10; count++) {
      assert.equal((await grpcCall(address, READ, { ...asProcess, 'mint-actor': TEST_KEY_ID })).code, 'OK')
    }
    assert.equal(counts.size, 0)
  })

  it('counts each reflection request', async () => {
    const { address, counts } = await limited()
    assert.equal((await listServices(address)).length, 11)
    assert.equal(counts.get(TEST_KEY_ID), 2)
    const questions = Array.from({ length: 5 }, () => ({ listServices: '' }))
    await assert.rejects(askReflection(address, questions, TEST_KEY), { code: 8 })
  })

  it('resets with its window', async () => {
    const { address } = await accessServer({ countKey: countPerSecond(1) })
    const isRefused = async () => (await grpcCall(address, READ, withKey())).code === 'RESOURCE_EXHAUSTED'
    await waitFor(isRefused, { what: 'a full window' })
    await waitFor(async () => !(await isRefused()), { what: 'its end', every: 50 })
  })

  it('leaves room for a key while another one has more reads in progress than can run concurrently', async () => {
    const begun: (string | undefined)[] = []
    const ends: (() => void)[] = []
    const answer = async (_: unknown, context?: CallContext) => {
      begun.push(context?.actor)
      await new Promise<void>((resolve) => ends.push(resolve))
      return {}
    }
    const names = Object.keys(ContractsServiceService)
    const implementation = Object.fromEntries(names.map((name) => [name, answer]))
    const service = { definition: ContractsServiceService, implementation } as unknown as GrpcService
    const { address } = await grpcServer([service], { access: { ...testAccess, lanes: createKeyLanes(300) } })
    const callAs = (actor: string) => grpcCall(address, READ, { ...asProcess, 'mint-actor': actor })
    const calls = Array.from({ length: 10 }, () => callAs(ONE_KEY))
    await waitFor(() => begun.length === 4, { what: 'four of ten' })
    calls.push(callAs(ANOTHER_KEY))
    await waitFor(() => begun.length === 5, { what: 'one of the other key' })
    assert.equal(begun[4], ANOTHER_KEY)
    // One of Mint's own processes makes many calls.
    calls.push(...Array.from({ length: 10 }, () => callAs('mint/businesses')))
    await waitFor(() => begun.length === 15, { what: 'all of those' })
    const ending = setInterval(() => ends.shift()?.())
    const outcomes = await Promise.all(calls).finally(() => clearInterval(ending))
    assert.ok(outcomes.every(({ code }) => code === 'OK'))
  })

  it('is shared with REST in npm start', async () => {
    const environment = { MINT_API_KEY: TEST_KEY, RATE_LIMIT_PER_SECOND: '50', LOG_LEVEL: 'silent' }
    const mint = await startedMint({ dataFolder: newFolder(), environment })
    await waitFor(
      async () => {
        const calls = Array.from({ length: 50 }, () => grpcCall(mint.contractsAddress, READ, withKey()))
        await Promise.all(calls)
        return (await fetch(`${mint.url}/contracts`, { headers: withKey() })).status === 429
      },
      { what: 'a request that is refused because of calls', every: 100 },
    )
  })
})
