import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { COMPOSE_FILE, type ComposedMint, composedMint, docker } from '../support/compose.ts'
import { aNewContract } from '../support/rest.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

const MAKE_CERTIFICATES = 'docs/examples/make-certificates'
const OVERLAY = 'docs/examples/docker-compose.tls.yml'

describe(`docker compose with ${OVERLAY}`, function () {
  this.timeout(120_000)
  let mint: ComposedMint
  let folder: TemporaryFolder
  let port: number

  const makeCertificates = () => execFileSync(MAKE_CERTIFICATES, [folder.path], { stdio: 'pipe' })
  const ca = (): Buffer => readFileSync(`${folder.path}/ca.pem`)

  before(async function () {
    this.timeout(400_000)
    folder = temporaryFolder()
    makeCertificates()
    const settings = { COMPOSE_FILE: `${COMPOSE_FILE}:${OVERLAY}`, MINT_CERTIFICATES: folder.path }
    mint = await composedMint({ gateways: 1, settings })
    await mint.build()
    await mint.up()
    const [url = ''] = await mint.gateways()
    port = Number(new URL(url).port)
  })
  after(async () => {
    await mint.remove()
    folder.remove()
  })

  // biome-ignore lint/suspicious/noExplicitAny: any answer of the API
  async function call(method: string, path: string, body?: object): Promise<any> {
    const headers = { authorization: `Bearer ${mint.key}`, 'content-type': 'application/json' }
    const sent = request({ host: '127.0.0.1', port, path, method, headers, ca: ca() })
    sent.end(body && JSON.stringify(body))
    const [answer] = await once(sent, 'response')
    return JSON.parse(await text(answer))
  }

  it('serves the REST API over TLS, with gRPC, MongoDB and Kafka over TLS behind it', async () => {
    const business = await call('POST', '/businesses', { legalName: 'Over TLS' })
    const contract = await call('POST', '/contracts', aNewContract({ clientId: business.clientId }))
    assert.deepEqual(await call('GET', `/contracts/${contract.id}`), contract)
    // Created through Kafka.
    await waitFor(async () => (await call('GET', '/clients')).total === 1, { timeout: 60_000, what: 'the Client' })
  })

  it('serves no plaintext on any port', async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.write('GET /healthz HTTP/1.1\r\nHost: mint\r\n\r\n')
    assert.doesNotMatch(await text(socket), /HTTP\/1\.1 200/)
    const [contracts = ''] = await mint.containers('contracts')
    const plaintext = ['contracts:50051', 'businesses:50052', 'mongo:27017', 'kafka:9092'].map(async (address) => {
      const [host, at] = address.split(':')
      return [address, (await docker(['exec', contracts, 'node', '-e', probeOf(`${host}`, Number(at))])).trim()]
    })
    assert.deepEqual(Object.fromEntries(await Promise.all(plaintext)), {
      'contracts:50051': 'TLS alone',
      'businesses:50052': 'TLS alone',
      'mongo:27017': 'TLS alone',
      'kafka:9092': 'TLS alone',
    })
  })

  it('picks up new certificates without a restart', async () => {
    const before = await servedSerial()
    makeCertificates()
    await docker(['compose', 'up', '--no-deps', 'secrets'], mint.settings)
    await waitFor(async () => (await servedSerial()) !== before, { timeout: 60_000, what: 'the new certificate' })
    const [gateway = ''] = await mint.containers('gateway')
    assert.equal(await mint.inspect(gateway, '{{.RestartCount}}'), '0')
    await call('POST', '/contracts', aNewContract())
  })

  async function servedSerial(): Promise<string> {
    const socket = connectTls({ host: '127.0.0.1', port, ca: ca() })
    await once(socket, 'secureConnect')
    const { serialNumber } = new X509Certificate(socket.getPeerX509Certificate()?.raw ?? '')
    socket.destroy()
    return serialNumber
  }
})

/** Prints `TLS alone` if the server negotiates TLS and doesn't answer a plaintext HTTP/2 preface in HTTP/2. */
const probeOf = (host: string, port: number): string => `
  const tls = require('tls').connect({ host: '${host}', port: ${port}, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
  // Of gRPC, which ends the connection of a caller without a certificate once the handshake is over.
  tls.on('error', ({ code }) => code.endsWith('CERTIFICATE_REQUIRED') || end(code))
  tls.once('secureConnect', () => {
    const http2 = require('net').connect(${port}, '${host}').on('error', () => end('TLS alone'))
    http2.write('PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n' + '\\0'.repeat(3) + '\\x04' + '\\0'.repeat(5))
    http2.once('data', (bytes) => end(bytes[3] === 4 ? 'plaintext' : 'TLS alone')).once('close', () => end('TLS alone'))
  })
  function end(outcome) { console.log(outcome); process.exit() }`
