import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { createAuthority, replaceFile, type TestAuthority } from '../support/certificates.ts'
import { atEnd } from '../support/cleanup.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { parseAnswer, sendRaw } from '../support/raw-http.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'
import { watchedCertificates } from '../support/watched-certificates.ts'

const A_GET = 'GET /healthz HTTP/1.1\r\nHost: mint\r\n\r\n'
const SERVED_GET = `GET /contracts/7 HTTP/1.1\r\nHost: mint\r\nAuthorization: Bearer ${TEST_KEY}\r\n\r\n`

describe('A gateway with TLS', () => {
  let folder: TemporaryFolder
  let ca: TestAuthority
  before(() => {
    folder = temporaryFolder()
    ca = createAuthority(folder.path)
  })
  after(() => folder.remove())

  async function started(options: Parameters<typeof startGateway>[1] = {}) {
    const files = ca.issue('gateway')
    const tls = await watchedCertificates(files)
    let served = 0
    const getContract = () => new Promise(() => served++)
    const gateway = atEnd.stop(await startGateway({ contracts: { getContract } } as never, { ...options, tls }))
    return { ...gateway, files, served: () => served }
  }

  function kept<Of extends Socket>(socket: Of): Of {
    socket.on('error', () => undefined).resume()
    atEnd(() => socket.destroy())
    return socket
  }

  async function secured(port: number, options: object = {}): Promise<TLSSocket> {
    const socket = kept(connectTls({ port, host: '127.0.0.1', ca: readFileSync(ca.cert), ...options }))
    await once(socket, 'secureConnect')
    return socket
  }

  const plain = (port: number): Socket => kept(connect(port, '127.0.0.1'))

  async function ask(socket: TLSSocket): Promise<number> {
    socket.write(A_GET)
    const [bytes] = await once(socket, 'data')
    return Number(/^HTTP\/1.1 (\d+)/.exec(String(bytes))?.[1])
  }

  it('answers over TLS 1.2 and 1.3 only', async () => {
    const { port } = await started()
    for (const version of ['TLSv1.2', 'TLSv1.3']) {
      const socket = await secured(port, { minVersion: version, maxVersion: version })
      assert.deepEqual([socket.getProtocol(), await ask(socket)], [version, 200])
    }
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }
    await assert.rejects(secured(port, old), { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' })
  })

  it('closes plain HTTP connections immediately, without an answer', async () => {
    const { port } = await started()
    assert.equal(await sendRaw(port, A_GET), '')
  })

  it('uses a new certificate for new connections, and keeps open ones', async () => {
    const { port, files } = await started()
    const before = await secured(port)
    const next = ca.issue('next')
    replaceFile(files.cert, next.cert)
    replaceFile(files.key, next.key)
    const subjectNow = async (): Promise<unknown> => (await secured(port)).getPeerCertificate().subject.CN
    await waitFor(async () => (await subjectNow()) === 'next')
    assert.deepEqual([before.getPeerCertificate().subject.CN, await ask(before)], ['gateway', 200])
  })

  it('counts an unfinished handshake as a connection, but never closes one in use to make room for it', async () => {
    const gateway = await started({ maxConnections: 3 })
    const { port } = gateway
    const served = await secured(port)
    served.write(SERVED_GET)
    await waitFor(() => gateway.served() === 1)
    const unfinished: Socket[] = []
    for (let n = 0; n < 3; n++) {
      unfinished.push(plain(port))
      // Opened at once, they would arrive in any order.
      await once(unfinished[n] as Socket, 'connect')
    }
    await waitFor(() => unfinished[0]?.closed)
    assert.equal(await ask(await secured(port)), 200)
    assert.deepEqual(
      unfinished.map(({ closed }) => closed),
      [true, true, false],
    )
    assert.equal(served.closed, false)
  })

  it('closes connections that do not finish a handshake, or send nothing after it, within the time limit for headers', async () => {
    const { port } = await started({ timeouts: { headers: 200 } })
    const silent = plain(port)
    const halfway = plain(port)
    // The beginning of a ClientHello.
    halfway.write(Buffer.from('160301020001', 'hex'))
    await Promise.all([once(silent, 'close'), once(halfway, 'close')])
    const finished = await secured(port)
    let received = ''
    finished.on('data', (bytes) => {
      received += bytes
    })
    await once(finished, 'close')
    assert.equal(parseAnswer(received).body.code, 'request_timeout')
  })

  it('answers every request on a connection, in order', async () => {
    const { port } = await started()
    const socket = await secured(port)
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes
    })
    socket.write(A_GET.repeat(50))
    await waitFor(() => received.match(/HTTP\/1\.1 200/g)?.length === 50)
  })

  it('stops without cutting off an answer', async () => {
    const { port, stop } = await started()
    const idle = await secured(port)
    const asking = await secured(port)
    const answered = ask(asking)
    await Promise.all([answered.then((status) => assert.equal(status, 200)), answered.then(stop)])
    await waitFor(() => idle.closed && asking.closed)
  })
})
