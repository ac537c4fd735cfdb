import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { Client, credentials } from '@grpc/grpc-js'
import { ClientsServiceClientImpl, ClientsServiceService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { createGrpcRpc } from '../../shared/rpc/client/grpc-client.ts'
import { grpcService } from '../../shared/rpc/server/grpc-server.ts'
import type { WatchedCertificates } from '../../shared/runtime/tls/watch-certificates.ts'
import { type CertificateFiles, createAuthority, replaceFile, type TestAuthority } from '../support/certificates.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, clientsServiceOf } from '../support/clients-service.ts'
import { collectingLogger } from '../support/collecting-logger.ts'
import { freePort } from '../support/free-port.ts'
import { testSecrets } from '../support/grpc-access.ts'
import { grpcServer } from '../support/grpc-server.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'
import { watchedCertificates } from '../support/watched-certificates.ts'

const CALL = { clientId: aClient().clientId }
const LONG_TIMEOUTS = { timeoutMilliseconds: 15_000, connectMilliseconds: 10_000 }
/** For callers that never get connected. */
const SHORT_TIMEOUTS = { timeoutMilliseconds: 2_000, connectMilliseconds: 500 }

describe('gRPC between Mint’s processes', () => {
  let folder: TemporaryFolder
  let ca: TestAuthority
  let other: TestAuthority
  let own: CertificateFiles
  before(() => {
    folder = temporaryFolder()
    ca = createAuthority(folder.path)
    other = createAuthority(folder.path, 'other')
    own = ca.issue('own')
  })
  after(() => folder.remove())

  const watched = (files: CertificateFiles, authority?: { readonly cert: string }) =>
    watchedCertificates({ ...files, ...(authority && { ca: authority.cert }) })

  async function serving(tls?: WatchedCertificates): Promise<string> {
    const getClient = async () => ({ client: aClient() })
    const services = [grpcService(ClientsServiceService, clientsServiceOf({ getClient }))]
    return (await grpcServer(services, { tls })).address
  }

  function calling(address: string, tls?: WatchedCertificates, timeouts = LONG_TIMEOUTS) {
    const { logger, lines } = collectingLogger()
    const rpc = createGrpcRpc({
      address,
      secrets: testSecrets,
      tls,
      logger,
      ...timeouts,
    })
    atEnd(() => rpc.close())
    const clients = new ClientsServiceClientImpl(rpc)
    return { call: () => clients.getClient(CALL), said: () => lines.map(({ msg }) => msg) }
  }

  /** Calls until the reason for the failure is logged, and once more; returns the logged messages. */
  async function refusal(address: string, tls?: WatchedCertificates): Promise<readonly unknown[]> {
    const { call, said } = calling(address, tls, SHORT_TIMEOUTS)
    const fails = () => assert.rejects(call(), { code: 'unavailable' })
    await waitFor(() => fails().then(() => said().length > 0), { what: 'the reason in the log' })
    await fails()
    return said()
  }

  it('that find no server fail with one log line that says whether its name or its address is unknown', async () => {
    assert.deepEqual(await refusal('no-such-host.invalid:1'), [
      'no connection to no-such-host.invalid:1: no address is known for this name',
    ])
    const several = `ipv4:127.0.0.1:${await freePort()},127.0.0.2:${await freePort()}`
    assert.deepEqual(await refusal(several), [`no connection to ${several}: nothing answers at this address`])
  })

  it('works over mutual TLS', async () => {
    const tls = await watched(own, ca)
    const { call, said } = calling(await serving(tls), tls)
    assert.deepEqual(await call(), { client: aClient() })
    assert.deepEqual(said(), [])
  })

  it('with a certificate but no CA accepts any TLS client that trusts it', async () => {
    const address = await serving(await watched(own))
    const client = new Client(address.replace('127.0.0.1', 'localhost'), credentials.createSsl(readFileSync(ca.cert)))
    atEnd(() => client.close())
    await new Promise<void>((resolve, reject) => {
      client.waitForReady(Date.now() + 10_000, (error) => (error ? reject(error) : resolve()))
    })
  })

  it('fails with one log line that names the setting to fix', async () => {
    const mutual = await serving(await watched(own, ca))
    const refused =
      'it closes connections, probably because no certificate in its GRPC_TLS_CA_FILE signed GRPC_TLS_CERT_FILE'
    const stranger = other.issue('stranger')
    // The server's certificate is not signed by the caller's CA.
    assert.deepEqual(await refusal(mutual, await watched(stranger, other)), [
      `no connection to ${mutual}: its certificate is not signed by GRPC_TLS_CA_FILE`,
    ])
    // The caller's certificate is not signed by the server's CA.
    const both = `${folder.path}/both.pem`
    writeFileSync(both, Buffer.concat([readFileSync(ca.cert), readFileSync(other.cert)]))
    assert.deepEqual(await refusal(mutual, await watched(stranger, { cert: both })), [
      `no connection to ${mutual}: ${refused}`,
    ])
    const elsewhere = await serving(await watched(ca.issue('elsewhere', { names: 'DNS:elsewhere' }), ca))
    const [line, ...more] = await refusal(elsewhere, await watched(own, ca))
    assert.match(
      String(line),
      /^no connection to \S+: its certificate \(GRPC_TLS_CERT_FILE there\) is for other names: /,
    )
    assert.deepEqual(more, [])
    const plain = await serving()
    assert.deepEqual(await refusal(plain, await watched(own, ca)), [
      `no connection to ${plain}: it does not speak TLS: set GRPC_TLS_CERT_FILE there`,
    ])
    assert.deepEqual(await refusal(mutual), [
      `no connection to ${mutual}: it closes connections, probably because it requires TLS: set GRPC_TLS_CERT_FILE, GRPC_TLS_KEY_FILE, GRPC_TLS_CA_FILE`,
    ])
    const oneSided = await serving(await watched(own))
    assert.deepEqual(await refusal(oneSided, await watched(own)), [
      `no connection to ${oneSided}: its certificate is not signed by a CA of this system: set GRPC_TLS_CA_FILE or NODE_EXTRA_CA_CERTS`,
    ])
  })

  it('refuses callers without a certificate, or with an expired one', async () => {
    const address = await serving(await watched(own, ca))
    const [host, port] = address.split(':')
    const trust = { host: host ?? '', port: Number(port), ca: readFileSync(ca.cert), ALPNProtocols: ['h2'] }
    const expired = ca.issue('expired', { days: -1 })
    for (const shown of [{}, { cert: readFileSync(expired.cert), key: readFileSync(expired.key) }]) {
      const socket = atEnd.destroy(connect({ ...trust, ...shown }).on('error', () => undefined))
      await new Promise((resolve) => socket.resume().once('close', resolve))
    }
    const socket = atEnd.destroy(connect({ ...trust, cert: readFileSync(own.cert), key: readFileSync(own.key) }))
    // The HTTP/2 settings frame: the caller was accepted.
    await once(socket, 'data')
  })

  it('fails if a certificate expires while in use, and names the setting', async () => {
    const expired = ca.issue('has-expired', { days: -1 })
    const good = await watched(own, ca)
    const [cert, key] = [readFileSync(expired.cert), readFileSync(expired.key)]
    const address = await serving({ ...good, current: () => ({ ...good.current(), cert, key }) })
    assert.deepEqual(await refusal(address, good), [
      `no connection to ${address}: its certificate (GRPC_TLS_CERT_FILE there) is not valid now`,
    ])
  })

  it('switches to new certificates and then to a new CA without failing a call', async () => {
    const files = {
      cert: `${folder.path}/server.pem`,
      key: `${folder.path}/server.key`,
      ca: `${folder.path}/trusted.pem`,
    }
    const install = (leaf: CertificateFiles, ...authorities: TestAuthority[]): void => {
      const bundle = `${folder.path}/bundle.pem`
      writeFileSync(bundle, Buffer.concat(authorities.map(({ cert }) => readFileSync(cert))))
      replaceFile(files.cert, leaf.cert)
      replaceFile(files.key, leaf.key)
      replaceFile(files.ca, bundle)
    }
    const [renewed, next] = [ca.issue('renewed'), other.issue('next')]
    install(own, ca)
    const tls = await watchedCertificates(files)
    const address = await serving(tls)
    const { call } = calling(address, tls)
    const unconnected = calling(address, tls)
    let answered = 0
    let isDone = false
    const load = (async () => {
      for (; !isDone; answered++) assert.deepEqual(await call(), { client: aClient() })
    })()
    for (const [leaf, ...authorities] of [
      [renewed, ca],
      [own, ca, other],
      [next, ca, other],
      [next, other],
    ] as const) {
      install(leaf, ...authorities)
      const before = tls.current()
      await waitFor(() => tls.current() !== before && readFileSync(leaf.cert).equals(tls.current().cert))
      const fresh = calling(address, tls)
      assert.deepEqual(await fresh.call(), { client: aClient() })
      const until = answered + 100
      await waitFor(() => answered > until)
    }
    isDone = true
    await load
    // Created before all the changes, it connects only now.
    assert.deepEqual(await unconnected.call(), { client: aClient() })
    assert.deepEqual(await refusal(address, await watched(own, ca)), [
      `no connection to ${address}: its certificate is not signed by GRPC_TLS_CA_FILE`,
    ])
  })
})
