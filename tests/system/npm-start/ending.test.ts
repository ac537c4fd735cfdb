import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { atEnd } from '../../support/cleanup.ts'
import { type MintOptions, startedMint } from '../../support/mint-process.ts'
import { http2Connection, openCall } from '../../support/raw-grpc.ts'
import { aNewContract, restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

describe('A Mint that gets a signal to stop', () => {
  const started = (options: Partial<MintOptions> = {}) => startedMint({ dataFolder: newFolder(), ...options })
  const portIsFree = async (url: string): Promise<boolean> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['connected']),
      once(socket, 'error').then(() => ['refused']),
    ]).catch(() => ['refused'])
    socket.destroy()
    return event === 'refused'
  }

  it('exits with 0 if it gets two signals, and keeps everything acknowledged in the meantime', async () => {
    const dataFolder = newFolder()
    const mint = await started({ dataFolder })
    const call = restClient(mint)
    const answers = Array.from({ length: 200 }, () => call('POST', '/contracts', aNewContract()))
    await Promise.race(answers)
    mint.signal('SIGTERM')
    mint.signal('SIGTERM')
    const outcomes = await Promise.allSettled(answers)
    assert.equal((await mint.ended).exitCode, 0)
    const acknowledged = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    assert.ok(acknowledged.length > 0)
    assert.deepEqual(new Set(acknowledged.map(({ status }) => status)), new Set([201]))
    const again = await started({ dataFolder })
    const read = restClient({ url: again.url, key: mint.key })
    for (const { body } of acknowledged) assert.deepEqual((await read('GET', `/contracts/${body.id}`)).body, body)
  })

  it('answers a request whose body is still arriving, also on SIGINT, and frees its port', async () => {
    const mint = await started()
    const body = JSON.stringify(aNewContract())
    const socket = atEnd.destroy(connect(Number(new URL(mint.url).port), '127.0.0.1'))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    const head = `POST /contracts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${mint.key}\r\n`
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`)
    await restClient(mint)('GET', '/healthz')
    mint.signal('SIGINT')
    await waitFor(() => portIsFree(mint.url), { what: 'Mint to take no more connections' })
    socket.write(body.slice(20))
    assert.equal((await mint.ended).exitCode, 0)
    assert.match(answer, /^HTTP\/1\.1 201 /)
  })

  it('loses no request of callers that reuse connections and leave when /readyz answers 503', async () => {
    const environment = { DRAIN_SECONDS: '2' }
    const mint = await started({ environment })
    const call = restClient(mint)
    let leaving = false
    let created = 0
    const outcomes = new Set<unknown>()
    const caller = async (): Promise<void> => {
      while (!leaving) {
        const outcome = await call('POST', '/contracts', aNewContract()).then(
          ({ status }) => status,
          (error) => error.cause ?? error,
        )
        outcomes.add(outcome)
        created++
      }
    }
    const callers = Array.from({ length: 20 }, caller)
    await waitFor(() => created > 100)
    mint.signal('SIGTERM')
    await waitFor(async () => (await call('GET', '/readyz')).status === 503)
    const then = created
    await waitFor(() => created > then + 20)
    leaving = true
    await Promise.all(callers)
    assert.deepEqual([...outcomes], [201])
    assert.equal((await mint.ended).exitCode, 0)
  })

  it('is delayed by at most 10 s by stuck requests, over REST and gRPC together', async () => {
    const mint = await started()
    const socket = atEnd.destroy(connect(Number(new URL(mint.url).port), '127.0.0.1'))
    socket.on('error', () => {})
    const head = `POST /contracts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${mint.key}\r\n`
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`)
    await restClient(mint)('GET', '/healthz')
    const session = await http2Connection(mint.contractsAddress)
    openCall(session, '/grpc.health.v1.Health/Check')
    await new Promise((resolve) => session.ping(resolve))
    const start = Date.now()
    mint.signal('SIGTERM')
    assert.equal((await mint.ended).exitCode, 0)
    // Allows for a busy machine; by itself, the connection would end after 20 s.
    assert.ok(Date.now() - start < 15_000)
  })

  for (const way of ['throw error', 'Promise.reject(error)']) {
    it(`exits immediately with 1 on an uncaught error (${way}), and logs it and warnings, every line in JSON`, async () => {
      const crash = `setImmediate(() => { const error = new Error("unforeseen"); ${way} })`
      const trap = `process.on("SIGUSR2", () => { process.emitWarning("look out"); ${crash} })`
      const command = [process.execPath, '--import', `data:text/javascript,${trap}`, 'cli/launch.js', 'start'] as const
      const mint = await started({ command })
      mint.signal('SIGUSR2')
      const { exitCode, errors } = await mint.ended
      assert.equal(exitCode, 1)
      assert.match(errors, /look out.*"level":60.*unforeseen/s)
      for (const line of errors.trim().split('\n')) assert.equal(typeof JSON.parse(line).level, 'number')
    })
  }

  it('exits with the npm process that started it, leaving no process and no port behind', async () => {
    for (const signals of [['SIGTERM'], ['SIGINT', 'SIGINT']] as const) {
      const mint = await started({ command: ['npm', 'start', '--silent'] })
      for (const signal of signals) mint.signal(signal)
      await mint.ended
      assert.ok(await portIsFree(mint.url))
    }
  })
})
