import assert from 'node:assert/strict'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { TEST_SECRET } from '../../support/grpc-access.ts'
import { linesWith } from '../../support/lines-with.ts'
import { startPart } from '../../support/part-process.ts'
import { MAIN_FILES } from '../../support/separate-processes.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

describeOn(mongoEngine(), 'A MONGO_URL that can’t work', (url) => {
  const { host } = new URL(url)

  function started(part: keyof typeof MAIN_FILES, mongoUrl: string) {
    const ports = { PORT: '0', METRICS_PORT: '0', CONTRACTS_PORT: '0', BUSINESSES_PORT: '0', DRAIN_SECONDS: '0' }
    const needed = { KAFKA_BROKERS: '127.0.0.1:1', SERVICE_SECRET: TEST_SECRET, VIEWS_DIR: newFolder() }
    return atEnd.kill(startPart(MAIN_FILES[part], { ...ports, ...needed, MONGO_URL: mongoUrl }))
  }

  const refused: Record<string, string> = {
    'foo=bar': 'option foo is not supported',
    'compressors=snappy': 'compressors=snappy needs a package that Mint doesn’t have; zstd and zlib work',
    'directConnection=perhaps': 'directConnection must be either "true" or "false"',
  }
  for (const [option, reason] of Object.entries(refused)) {
    for (const part of ['contracts', 'gateway'] as const) {
      it(`ends the start of ${part} with a one-line reason, given ${option}`, async () => {
        const process = started(part, `mongodb://${host}/?replicaSet=rs0&${option}`)
        assert.deepEqual(await process.gone, [1, null])
        assert.equal(process.log(), `The ${part} process can't start: MONGO_URL can’t be used: ${reason}\n`)
      })
    }
  }

  const awaited: Record<string, string> = {
    [`mongodb://${host}/?replicaSet=wrong`]: 'no server is a member of wrong; check replicaSet in MONGO_URL',
    'mongodb://nowhere.invalid:27017/?replicaSet=rs0':
      'no address is known for nowhere.invalid:27017; check the hosts in MONGO_URL and of the replica set',
  }
  const given = Object.keys(awaited).join(', ').replace(host, '…')
  it(`is reported in one line without a stack trace while a process waits, given ${given}`, async () => {
    const checked = Object.entries(awaited).map(async ([mongoUrl, reason]) => {
      const process = started('gateway', mongoUrl)
      const lines = () => linesWith(process.log(), 'waiting for MongoDB')
      await waitFor(() => lines().length > 0, { timeout: 15_000, what: 'a line' })
      const { reason: found, err } = JSON.parse(lines()[0] ?? '')
      assert.deepEqual([found, err], [`MongoDB can’t be used: ${reason}`, undefined])
    })
    await Promise.all(checked)
  })
})
