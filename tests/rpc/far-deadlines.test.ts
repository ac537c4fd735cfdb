import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { anonymousCaller, type CallContext } from '../../shared/calls/call-context.ts'
import { cleanup } from '../support/cleanup.ts'
import { aClient, overGrpc } from '../support/clients-service.ts'
import { asProcess } from '../support/grpc-access.ts'

const proof = Metadata.fromHttp2Headers(asProcess)
const DAY = 24 * 60 * 60 * 1000
/** A timer takes 24.8 days; a header of whole seconds and what a call on a stream says of its time take other lengths. */
const FAR = [24, 25, 30, 49, 50, 60, 1_000, 400_000].map((days) => days * DAY)

describe('A call with a deadline that no timer can have', () => {
  const ends = cleanup()
  /** Later than a timer that runs out at once. */
  const answering = () =>
    overGrpc(ends, {
      async getClient() {
        await pause(20)
        return { client: aClient() }
      },
    })

  for (const milliseconds of FAR) {
    const deadline = () => Date.now() + milliseconds

    it(`is answered ${milliseconds / DAY} days before it, on a stream of calls`, async () => {
      const { clients } = await answering()
      const call = { ...anonymousCaller(), deadline: deadline() }
      assert.deepEqual(await clients.getClient({ clientId: 'x' }, call), { client: aClient() })
    })

    it(`is answered ${milliseconds / DAY} days before it, called plainly`, async () => {
      const { address } = await answering()
      const client = new Client(address, credentials.createInsecure())
      ends(() => client.close())
      const error = await new Promise<ServiceError | null>((resolve) => {
        const bytes = (value: Buffer) => value
        const path = '/mint.contracts.v1.ClientsService/GetClient'
        client.makeUnaryRequest(path, bytes, bytes, Buffer.alloc(0), proof, { deadline: deadline() }, resolve)
      })
      assert.equal(error, null)
    })
  }

  it('reaches the service as one that a timer can have', async () => {
    const seen: (CallContext | undefined)[] = []
    const { clients } = await overGrpc(ends, {
      getClient: async (_, context) => {
        seen.push(context)
        return { client: aClient() }
      },
    })
    await clients.getClient({ clientId: 'x' }, { ...anonymousCaller(), deadline: Number.MAX_SAFE_INTEGER })
    const left = (seen[0]?.deadline ?? 0) - Date.now()
    assert.ok(left > 24 * DAY && left <= 2 ** 31, `${left} ms`)
  })
})
