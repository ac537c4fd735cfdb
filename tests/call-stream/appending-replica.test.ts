import assert from 'node:assert/strict'
import { CodedError } from '../../shared/calls/errors.ts'
import {
  type ContractsService,
  ContractsServiceClientImpl,
  ContractsServiceService,
} from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { createGrpcRpc } from '../../shared/rpc/client/grpc-client.ts'
import { grpcService } from '../../shared/rpc/server/grpc-server.ts'
import { type BreakableProxy, breakableProxy } from '../support/breakable-proxy.ts'
import { atEnd } from '../support/cleanup.ts'
import { testSecrets } from '../support/grpc-access.ts'
import { grpcServer } from '../support/grpc-server.ts'
import { waitFor } from '../support/wait-for.ts'

const NEW_CONTRACT = { clientId: 'x', serviceName: 'x', serviceType: 'x', serviceFee: '1' }

/** A server that counts its calls, behind a network that can break. */
interface Replica {
  readonly calls: { read: number; written: number }
  readonly proxy: BreakableProxy
  isAppending: boolean
}

describe('Writes to several replicas', () => {
  async function replica(): Promise<Replica> {
    const calls = { read: 0, written: 0 }
    const found: Replica = { calls, isAppending: false, proxy: undefined as unknown as BreakableProxy }
    const methods: Partial<ContractsService> = {
      async getContract() {
        calls.read++
        throw new CodedError('not_found', 'There is none.')
      },
      async createContract() {
        calls.written++
        return { contract: undefined, replayed: false }
      },
    }
    const services = [grpcService(ContractsServiceService, methods as ContractsService)]
    const server = await grpcServer(services, { appends: () => found.isAppending })
    const proxy = atEnd.close(await breakableProxy(`127.0.0.1:${server.port}`))
    return Object.assign(found, { proxy })
  }

  async function given() {
    const replicas = [await replica(), await replica(), await replica()] as const
    const address = `ipv4:${replicas.map(({ proxy }) => `127.0.0.1:${proxy.port}`).join(',')}`
    const rpc = atEnd.close(createGrpcRpc({ address, secrets: testSecrets, renewMilliseconds: 200 }))
    const contracts = new ContractsServiceClientImpl(rpc)
    const write = () => contracts.createContract(NEW_CONTRACT)
    const read = () => contracts.getContract({ id: 1 }).catch(() => undefined)
    const many = (call: () => Promise<unknown>, count = 60) => Promise.all(Array.from({ length: count }, () => call()))
    await waitFor(() => many(read).then(() => replicas.every(({ calls }) => calls.read > 0)), { what: 'all streams' })
    return { replicas, write, read, many }
  }

  /** The number of writes that each replica received during `work`. */
  async function writesDuring(replicas: readonly Replica[], work: () => Promise<unknown>): Promise<number[]> {
    const before = replicas.map(({ calls }) => calls.written)
    await work()
    return replicas.map(({ calls }, index) => calls.written - (before[index] ?? 0))
  }

  it('go to the one that announces itself as the appender, while reads go to all', async () => {
    const { replicas, write, read, many } = await given()
    replicas[1].isAppending = true
    await waitFor(async () => (await writesDuring(replicas, () => many(write)))[1] === 60, { what: 'the announcement' })
    assert.deepEqual(await writesDuring(replicas, () => many(write)), [0, 60, 0])
    const readsBefore = replicas.map(({ calls }) => calls.read)
    await many(read)
    assert.ok(replicas.every(({ calls }, index) => calls.read > (readsBefore[index] ?? 0)))

    replicas[1].isAppending = false
    replicas[2].isAppending = true
    await waitFor(async () => (await writesDuring(replicas, () => many(write)))[2] === 60, { what: 'the other one' })
  })

  it('are distributed across all while none announces itself', async () => {
    const { replicas, write, many } = await given()
    const shares = await writesDuring(replicas, () => many(write, 300))
    assert.ok(Math.min(...shares) > 50, `writes for each: ${shares}`)
  })

  it('go to the others once the appender goes silent, each executed once', async () => {
    const { replicas, write, many } = await given()
    replicas[0].isAppending = true
    await waitFor(async () => (await writesDuring(replicas, () => many(write)))[0] === 60, { what: 'the announcement' })
    replicas[0].proxy.hold()
    // They go to the silent one first, and then to another, well before their deadline of 5 s.
    const [silent, ...others] = await writesDuring(replicas, () => many(write))
    assert.equal(silent, 0)
    assert.equal((others[0] ?? 0) + (others[1] ?? 0), 60)
  })
})
