import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { linesWith } from '../../support/lines-with.ts'
import { logSwitches } from '../../support/log-lines.ts'
import type { PartProcess } from '../../support/part-process.ts'
import { type PartName, partWithoutEngines } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const PARTS: readonly PartName[] = ['contracts', 'businesses', 'gateway']

const waitingOf = (part: PartProcess) => linesWith(part.log(), '"msg":"waiting for MongoDB"')

describe('A process of Mint that can’t reach its engines', () => {
  for (const part of PARTS) {
    it(`exits with 0 on a SIGTERM that it gets while it loads its code: ${part}`, async () => {
      const process = partWithoutEngines(part, {}, { hook: './tests/support/signalled-process.ts' })
      assert.deepEqual(await process.gone, [0, null], process.log())
    })
  }

  for (const [part, setting] of [
    ['gateway', 'METRICS_PORT'],
    ['gateway', 'PORT'],
    ['contracts', 'CONTRACTS_PORT'],
    ['businesses', 'BUSINESSES_PORT'],
  ] as const) {
    it(`reports in one line that the port in ${setting} of ${part} is taken`, async () => {
      const other = atEnd.close(createServer().listen(0, '127.0.0.1'))
      await once(other, 'listening')
      const { port } = other.address() as AddressInfo
      const process = partWithoutEngines(part, { [setting]: `${port}` })
      assert.deepEqual(await process.gone, [1, null])
      const remedy = `stop that one, or set ${setting} to another port (0: any free one)`
      const line = `The ${part} process can't start: ${setting}=${port} is taken by another process: ${remedy}.\n`
      assert.equal(process.log(), line)
    })
  }

  for (const [part, option, reason] of [
    ['contracts', 'foo=bar', 'option foo is not supported'],
    ['gateway', 'foo=bar', 'option foo is not supported'],
    [
      'contracts',
      'compressors=snappy',
      'compressors=snappy needs a package that Mint doesn’t have; zstd and zlib work',
    ],
    ['gateway', 'directConnection=perhaps', 'directConnection must be either "true" or "false"'],
  ] as const) {
    it(`ends the start of ${part} with a one-line reason, given ${option} in MONGO_URL`, async () => {
      const process = partWithoutEngines(part, { MONGO_URL: `mongodb://127.0.0.1:1/?replicaSet=rs0&${option}` })
      assert.deepEqual(await process.gone, [1, null])
      assert.equal(process.log(), `The ${part} process can't start: MONGO_URL can’t be used: ${reason}\n`)
    })
  }

  it('reports a name that doesn’t resolve, keeps retrying, switches its log on SIGUSR2, and still stops cleanly on SIGTERM', async () => {
    // A top-level domain whose names never resolve (RFC 6761).
    const parts = PARTS.map((part) => partWithoutEngines(part, { MONGO_URL: 'mongodb+srv://nowhere.invalid/' }))
    await waitFor(() => parts.every((part) => part.log().includes('\n')), {
      what: 'their first lines',
    })
    for (const count of [1, 2, 3]) {
      for (const part of parts) part.signal('SIGUSR2')
      await waitFor(() => parts.every((part) => logSwitches(part.log()).length === count), { what: `switch ${count}` })
    }
    for (const part of parts) assert.deepEqual(logSwitches(part.log()), ['debug', 'info', 'debug'])
    const haveSaidSo = () => parts.every((part) => waitingOf(part).length >= 2)
    await waitFor(haveSaidSo, { what: 'two lines of each that say what it waits for' })
    for (const line of parts.flatMap(waitingOf))
      assert.match(line, /the DNS lookup of _mongodb\._tcp\.nowhere\.invalid failed \(E\w+\)/)
    assert.deepEqual(await Promise.all(parts.map((part) => part.end())), [0, 0, 0])
  })
})

describeOn(mongoEngine(), 'A MONGO_URL with a wrong host or replica set', (url) => {
  const { host } = new URL(url)
  const awaited: Record<string, string> = {
    [`mongodb://${host}/?replicaSet=wrong`]: 'no server is a member of wrong; check replicaSet in MONGO_URL',
    'mongodb://nowhere.invalid:27017/?replicaSet=rs0':
      'no address is known for nowhere.invalid:27017; check the hosts in MONGO_URL and of the replica set',
  }
  it('is reported in one line without a stack trace while a process waits', async () => {
    const checked = Object.entries(awaited).map(async ([MONGO_URL, reason]) => {
      const process = partWithoutEngines('gateway', { MONGO_URL })
      const line = await waitFor(() => waitingOf(process)[0], { what: 'a line' })
      const { reason: found, err } = JSON.parse(line)
      assert.deepEqual([found, err], [`MongoDB can’t be used: ${reason}`, undefined])
    })
    await Promise.all(checked)
  })
})
