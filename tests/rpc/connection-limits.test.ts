import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import {
  ClientsServiceClientImpl,
  ClientsServiceService,
  GetClientRequest,
} from '../../shared/gen/mint/contracts/v1/clients.ts'
import { createGrpcRpc } from '../../shared/rpc/client/grpc-client.ts'
import type { ConnectionLimits } from '../../shared/rpc/server/connection-limits.ts'
import { grpcService } from '../../shared/rpc/server/grpc-server.ts'
import type { WatchedCertificates } from '../../shared/runtime/tls/watch-certificates.ts'
import { createAuthority } from '../support/certificates.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, clientsServiceOf } from '../support/clients-service.ts'
import { testSecrets, withKey } from '../support/grpc-access.ts'
import { grpcServer } from '../support/grpc-server.ts'
import { framed, openCall } from '../support/raw-grpc.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'
import { watchedCertificates } from '../support/watched-certificates.ts'

const MAX = 8
const HELD = 'held'
const { path: GET_CLIENT } = ClientsServiceService.getClient
const LONG_SILENCE: ConnectionLimits = { max: MAX, silentMilliseconds: 60_000 }

/** A connection of its own, with one call whose answer isn't awaited beyond its headers. */
function calling(port: number, path: string, message: Uint8Array = Buffer.alloc(0), metadata = {}) {
  const session = atEnd.destroy(connectHttp2(`http://127.0.0.1:${port}`)).on('error', () => {})
  return { session, stream: openCall(session, path, metadata).end(framed(message)) }
}

for (const isSecure of [false, true]) {
  describe(`The connections of a gRPC server ${isSecure ? 'over TLS' : 'in plain text'}`, () => {
    async function certificates(): Promise<WatchedCertificates | undefined> {
      if (!isSecure) return undefined
      const authority = createAuthority(newFolder())
      return watchedCertificates({ ...authority.issue('own'), ca: authority.cert })
    }

    async function given(connections: ConnectionLimits) {
      const tls = await certificates()
      const held: (() => void)[] = []
      const getClient = async ({ clientId }: { clientId: string }) => {
        if (clientId === HELD) await new Promise<void>((resolve) => held.push(resolve))
        return { client: aClient() }
      }
      const services = [grpcService(ClientsServiceService, clientsServiceOf({ getClient }))]
      const { address, port } = await grpcServer(services, { tls, connections })
      const rpc = atEnd.close(createGrpcRpc({ address, secrets: testSecrets, tls }))
      const clients = new ClientsServiceClientImpl(rpc)
      return { port, tls, held, call: (clientId = 'x') => clients.getClient({ clientId }) }
    }

    async function silent(port: number): Promise<Socket> {
      const socket = connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume()
      atEnd(() => socket.destroy())
      await once(socket, 'connect')
      return socket
    }

    async function silentOnes(port: number, count: number): Promise<Socket[]> {
      const sockets: Socket[] = []
      for (let index = 0; index < count; index++) sockets.push(await silent(port))
      return sockets
    }

    it('make room for a new one, oldest first, so that Mint’s own processes can call', async () => {
      const { port, call } = await given(LONG_SILENCE)
      const sockets = await silentOnes(port, MAX)
      assert.deepEqual(await call(), { client: aClient() })
      await waitFor(() => sockets[0]?.closed, { what: 'the end of the oldest' })
      assert.equal(sockets.filter(({ closed }) => closed).length < MAX, true)
    })

    if (!isSecure) {
      it('make room for callers with a secret or a key, even if each has an open call that needs neither', async () => {
        const { port, call, held } = await given(LONG_SILENCE)
        const watchHealth = async (): Promise<void> => {
          const { stream } = calling(port, '/grpc.health.v1.Health/Watch')
          await new Promise((resolve) => stream.once('response', resolve).once('close', resolve))
        }
        for (let index = 0; index < MAX; index++) await watchHealth()
        const answer = call(HELD)
        await waitFor(() => held.length === 1, { what: 'the call' })
        for (let index = 0; index < 2 * MAX; index++) await watchHealth()
        held[0]?.()
        assert.deepEqual(await answer, { client: aClient() })
        assert.equal(held.length, 1)
      })
    }

    if (!isSecure) {
      it('make room for other callers if one key has a call in progress on each', async () => {
        const { port, call, held } = await given(LONG_SILENCE)
        const ofKey: ClientHttp2Session[] = []
        for (let index = 0; index < MAX; index++) {
          const message = GetClientRequest.encode({ clientId: HELD }).finish()
          ofKey.push(calling(port, GET_CLIENT, message, withKey()).session)
          await waitFor(() => held.length === index + 1, { what: 'the call' })
        }
        assert.deepEqual(await call(), { client: aClient() })
        await waitFor(() => ofKey[0]?.destroyed, { what: 'the end of its oldest connection' })
        assert.equal(ofKey.filter(({ destroyed }) => destroyed).length, 1)
      })
    }

    it('stay open while they have a call in progress, however many new ones arrive', async () => {
      const { port, call, held } = await given(LONG_SILENCE)
      const answer = call(HELD)
      await waitFor(() => held.length === 1, { what: 'the call' })
      const sockets = await silentOnes(port, 3 * MAX)
      await waitFor(() => sockets.filter(({ closed }) => closed).length === 2 * MAX + 1, {
        what: 'the end of the rest',
      })
      held[0]?.()
      assert.deepEqual(await answer, { client: aClient() })
      assert.equal(held.length, 1)
    })

    it('are closed if they stay silent for too long, and kept open if they speak HTTP/2', async () => {
      const { port, call, tls } = await given({ max: MAX, silentMilliseconds: 300 })
      const secureContext = tls?.current().context
      const options = secureContext && { secureContext, rejectUnauthorized: false }
      const session = atEnd.destroy(connectHttp2(`${tls ? 'https' : 'http'}://127.0.0.1:${port}`, options))
      await once(session, 'remoteSettings')
      await call()
      const sockets = await silentOnes(port, MAX - 2)
      await waitFor(() => sockets.every(({ closed }) => closed), { what: 'the end of the silent ones' })
      assert.deepEqual(await call(), { client: aClient() })
      assert.deepEqual([session.closed, session.destroyed], [false, false])
    })
  })
}
