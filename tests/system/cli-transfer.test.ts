import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publishedBusinesses } from '../../services/businesses/published-events.ts'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { cleanup } from '../support/cleanup.ts'
import { type CommandEnd, jsonLines, mint } from '../support/command-line.ts'
import { describeOn, type Engine, kafkaEngine, mongoEngine } from '../support/engines.ts'
import { fillFolder } from '../support/filled-folder.ts'
import { runMint, startMint } from '../support/mint-process.ts'
import { aNewContract, restClient } from '../support/rest.ts'
import { separateMint } from '../support/separate-processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

const brokers = kafkaEngine()
const bothEngines: Engine = 'missing' in brokers ? brokers : mongoEngine()

const IDEMPOTENT = { 'idempotency-key': 'from-before' }

describe('mint export and import', () => {
  const atEnd = cleanup()
  const source = temporaryFolder()
  const file = join(source.path, 'mint.ndjson')

  before(async () => {
    await fillFolder(join(source.path, 'data'), { contracts: 700, businesses: 10 })
    const { exitCode } = await mint(['export', file], { DATA_DIR: join(source.path, 'data') })
    assert.equal(exitCode, 0)
  })
  after(() => source.remove())

  function newFolder(): string {
    const folder = temporaryFolder()
    atEnd(folder.remove)
    return join(folder.path, 'data')
  }

  function changedFile(change: (text: string) => string): string {
    const changed = join(newFolder(), '..', 'changed.ndjson')
    writeFileSync(changed, change(readFileSync(file, 'utf8')))
    return changed
  }

  const wrongFiles: readonly (readonly [what: string, change: (text: string) => string, message: RegExp])[] = [
    ['is cut off within a line', (text) => text.slice(0, -100), /cut off/],
    ['is cut off after a line', (text) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1), /cut off/],
    ['lacks a line', (text) => text.replace(/\n.*\n/, '\n'), /damaged: it has \d+ lines, not \d+/],
    ['has a changed character', (text) => text.replace('"19.99"', '"19.98"'), /damaged: its checksum/],
    ['is empty', () => '', /empty/],
    ['is something else', () => '{"a":1}\n', /cut off|no export/],
    [
      'was written by a newer Mint',
      (text) => text.replace('"format":1', '"format":2'),
      /format 2.*the version that wrote/,
    ],
  ]
  for (const [what, change, message] of wrongFiles) {
    it(`refuses a file that ${what}, and changes nothing`, async () => {
      const folder = newFolder()
      const { exitCode, errors } = await mint(['import', changedFile(change)], { DATA_DIR: folder })
      assert.equal(exitCode, 1)
      assert.match(errors, message)
      assert.match((await mint(['verify'], { DATA_DIR: folder })).errors, /holds no data of Mint/)
    })
  }

  it('refuses a target that holds data, and changes nothing', async () => {
    const folder = newFolder()
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    const { exitCode, errors } = await mint(['import', file], { DATA_DIR: folder })
    assert.equal(exitCode, 1)
    assert.match(errors, /holds data already: an import needs an empty one/)
    assert.match((await mint(['verify'], { DATA_DIR: folder })).output, /^3 events/)
  })

  it('lets nobody serve a part of an import, and goes on where it was interrupted', async () => {
    const folder = newFolder()
    const lines = readFileSync(file, 'utf8').split('\n')
    // Its end is missing, but what stands before it is sound: as far as a pipe brought it.
    const cutOff = await importThroughPipe(`${lines.slice(0, 650).join('\n')}\n`, folder)
    assert.equal(cutOff.exitCode, 1)
    assert.match(cutOff.errors, /cut off[\s\S]*run the same import again/)
    const refused = await mint(['verify'], { DATA_DIR: folder })
    assert.match(refused.errors, /holds an import that was interrupted: run `mint import` again/)
    assert.equal(refused.exitCode, 1)
    const started = await runMint({ dataFolder: folder }).ended
    assert.equal(started.exitCode, 1)
    assert.match(started.errors, /holds an import that was interrupted: run `mint import` again with the same file/)

    const another = temporaryFolder()
    atEnd(another.remove)
    await fillFolder(join(another.path, 'data'), { contracts: 700, businesses: 1 })
    const other = join(another.path, 'other.ndjson')
    await mint(['export', other], { DATA_DIR: join(another.path, 'data') })
    assert.match((await mint(['import', other], { DATA_DIR: folder })).errors, /holds a part of another file/)

    const { output, errors } = await mint(['import', file, '--json'], { DATA_DIR: folder })
    assert.deepEqual([errors, jsonLines(output)], ['', [{ events: 953, alreadyThere: 500 }]])
    assert.equal((await mint(['verify'], { DATA_DIR: folder })).exitCode, 0)
  })

  describeOn(bothEngines, 'From SQLite to MongoDB and back', (mongoUrl) => {
    it('history is equal event by event, keys and remembered answers are as they were, numbers go on', async () => {
      const separate = await separateMint(mongoUrl, process.env.KAFKA_BROKERS ?? '')
      atEnd(() => separate.remove())
      const { namespace, key: configured } = separate
      const onMongo = { MONGO_URL: mongoUrl, KAFKA_BROKERS: process.env.KAFKA_BROKERS ?? '', NAMESPACE: namespace }
      const [first, second] = [newFolder(), newFolder()]
      const files = ['a', 'b', 'c'].map((name) => join(first, '..', `${name}.ndjson`)) as [string, string, string]
      const { remembered, key, contracts } = await liveABit(first, configured)

      await succeeds(['export', files[0]], { DATA_DIR: first })
      const early = separate.start('businesses')
      await early.ready()
      await relayIsAtWork(`${namespace}_businesses`)
      const refused = await mint(['import', files[0]], onMongo)
      assert.equal(refused.exitCode, 1)
      assert.match(refused.errors, /Services are at work .*: stop every one of them first\./)
      assert.equal(await early.end(), 0)
      await succeeds(['import', files[0]], onMongo)
      await succeeds(['verify'], onMongo)
      await goOnOnMongo()
      await succeeds(['export', files[1]], onMongo)
      await succeeds(['import', files[1]], { DATA_DIR: second })
      await succeeds(['verify'], { DATA_DIR: second })
      await succeeds(['export', files[2]], { DATA_DIR: second })
      assert.equal(withoutLastUses(files[2]), withoutLastUses(files[1]))
      const before = commitsIn(files[0])
      assert.deepEqual(commitsIn(files[1]).slice(0, before.length), before)
      const back = await startMint({ dataFolder: second, environment: { MINT_API_KEY: configured } })
      atEnd(back.kill)
      await asBefore(restClient(back), contracts + 2)
      assert.equal((await restClient({ url: back.url, key })('GET', '/contracts?limit=1')).status, 200)

      async function relayIsAtWork(name: string): Promise<void> {
        const { checkpoints, close } = await openMongoDatabase({ url: mongoUrl, name, views: [] })
        const isTaken = async () => (await checkpoints.acquire(publishedBusinesses.name, 'test', 1)) === undefined
        await waitFor(isTaken, { timeout: 20_000, what: 'the relay to hold its lease' })
        await close()
      }

      /** The old answer to the old question, and the next number. */
      async function asBefore(call: ReturnType<typeof restClient>, next: number): Promise<void> {
        const again = await call('POST', '/contracts', aNewContract({ notes: 'remembered' }), IDEMPOTENT)
        assert.deepEqual([again.status, again.body], [201, remembered.body])
        assert.equal(again.headers.get('idempotency-replayed'), 'true')
        assert.equal(again.headers.get('etag'), '"1"')
        assert.equal((await call('POST', '/contracts', aNewContract())).body.id, next)
      }

      async function goOnOnMongo(): Promise<void> {
        const parts = (['contracts', 'businesses', 'gateway'] as const).map((part) => separate.start(part))
        for (const part of parts) await part.ready()
        const call = await separate.callerOf(parts[2] as (typeof parts)[2])
        await asBefore(call, contracts + 1)
        for (const part of parts) assert.equal(await part.end(), 0)
      }
    }).timeout(120_000)
  })

  /** A Mint with a key of its own, a remembered answer that was edited since, and a business. */
  async function liveABit(folder: string, configured: string) {
    await fillFolder(folder, { contracts: 20, businesses: 3 })
    const running = await startMint({ dataFolder: folder, environment: { MINT_API_KEY: configured } })
    const call = restClient(running)
    const remembered = await call('POST', '/contracts', aNewContract({ notes: 'remembered' }), IDEMPOTENT)
    await call('PATCH', `/contracts/${remembered.body.id}`, { notes: 'edited since' })
    const made = await mint(['keys', 'create', 'Kept', '--scopes', 'all', '--json'], { DATA_DIR: folder })
    const [{ key }] = jsonLines(made.output) as [{ key: string }]
    assert.equal((await restClient({ url: running.url, key })('GET', '/clients')).status, 200)
    running.signal('SIGTERM')
    await running.ended
    return { remembered, key, contracts: Number(remembered.body.id) }
  }
})

async function succeeds(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<void> {
  const { exitCode, errors, output } = await mint(words, environment)
  assert.equal(exitCode, 0, `${words.join(' ')}: ${errors}${output}`)
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n')

/** What may differ is the export's own id, when keys were last used, and so the last line. */
const withoutLastUses = (file: string): string =>
  linesOf(file)
    .slice(1, -1)
    .filter((line) => !line.includes('"latestTimes"'))
    .join('\n')

const commitsIn = (file: string): string[] =>
  linesOf(file).filter((line) => line.includes('"part":"contracts","position"'))

async function importThroughPipe(text: string, folder: string): Promise<CommandEnd> {
  const piped = join(folder, '..', 'piped.ndjson')
  writeFileSync(piped, text)
  const script = '"$0" cli/launch.js import - < "$1"'
  const run = runMint({ dataFolder: folder, command: ['sh', '-c', script, process.execPath, piped] as never })
  const { exitCode, output, errors } = await run.ended
  return { exitCode: exitCode ?? -1, output, errors }
}
