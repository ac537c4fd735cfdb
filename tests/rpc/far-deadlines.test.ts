import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { anonymousCaller, type CallContext } from '../../shared/calls/call-context.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, overGrpc } from '../support/clients-service.ts'
import { asProcess } from '../support/grpc-access.ts'

const proof = Metadata.fromHttp2Headers(asProcess)
const DAY = 24 * 60 * 60 * 1000
/** Timers are limited to 24.8 days; a header in whole seconds and the timeout on a call stream have other limits. */
const FAR = [24, 25, 30, 49, 50, 60, 1_000, 400_000].map((days) => days * DAY)

describe('A call with a deadline beyond the range of timers', () => {
  /** Answers later than an overflowing timer would fire. */
  const answering = () =>
    overGrpc(atEnd, {
      async getClient() {
        await pause(20)
        return { client: aClient() }
      },
    })

  for (const milliseconds of FAR) {
    const deadline = () => Date.now() + milliseconds

    it(`is answered ${milliseconds / DAY} days before it, on a call stream`, async () => {
      const { clients } = await answering()
      const call = { ...anonymousCaller(), deadline: deadline() }
      assert.deepEqual(await clients.getClient({ clientId: 'x' }, call), { client: aClient() })
    })

    it(`is answered ${milliseconds / DAY} days before it, as a plain gRPC call`, async () => {
      const { address } = await answering()
      const client = atEnd.close(new Client(address, credentials.createInsecure()))
      const error = await new Promise<ServiceError | null>((resolve) => {
        const bytes = (value: Buffer) => value
        const path = '/mint.contracts.v1.ClientsService/GetClient'
        client.makeUnaryRequest(path, bytes, bytes, Buffer.alloc(0), proof, { deadline: deadline() }, resolve)
      })
      assert.equal(error, null)
    })
  }

  it('reaches the service with a deadline within that range', async () => {
    const seen: (CallContext | undefined)[] = []
    const { clients } = await overGrpc(atEnd, {
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
