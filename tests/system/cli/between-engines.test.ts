import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PART_NAMES } from '../../../cli/admin/parts.ts'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { relayOf } from '../../../shared/runtime/settings/topic-names.ts'
import { bareEnvironment } from '../../support/bare-environment.ts'
import { assertSameBooks, keepBooks } from '../../support/books.ts'
import { atEnd } from '../../support/cleanup.ts'
import { jsonLines, mint, succeeds } from '../../support/command-line.ts'
import { bothEngines, describeOn, mongoEngine } from '../../support/engines.ts'
import { assertFeedGoesOn, readFeed } from '../../support/feed.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { startedMint, startMint } from '../../support/mint-process.ts'
import { dropDatabase } from '../../support/mongo-database.ts'
import { aNewContract, restClient } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const IDEMPOTENT = { 'idempotency-key': 'from-before' }
const UNCHANGED = { 'idempotency-key': 'changed-nothing' }
const SAME_NOTES = { notes: 'remembered' }

describeOn(bothEngines(), 'A Mint moved from SQLite to MongoDB and back', (mongoUrl) => {
  const newDataFolder = (): string => join(newFolder(), 'data')

  it('keeps its history event by event, its ids, keys, books, feed with cursors and remembered answers, and continues its numbering', async () => {
    const separate = await newSeparateMint(mongoUrl)
    const { namespace, key: configured, settings: onMongo } = separate
    const [first, second] = [newDataFolder(), newDataFolder()]
    const files = ['a', 'b', 'c'].map((name) => join(first, '..', `${name}.ndjson`)) as [string, string, string]
    const { remembered, unchanged, key, contracts, books, feed } = await liveABit(first, configured)

    await succeeds(['export', files[0]], { DATA_DIR: first })
    const early = separate.start('businesses')
    await early.ready()
    await relayIsAtWork(`${namespace}_businesses`)
    const refused = await mint(['import', files[0]], onMongo)
    assert.equal(refused.exitCode, 1)
    assert.match(refused.errors, /Services are running .*: stop all of them first\./)
    assert.equal(await early.end(), 0)
    await succeeds(['import', files[0]], onMongo)
    await succeeds(['verify'], onMongo)
    await goOnOnMongo()
    await succeeds(['export', files[1]], onMongo)
    await succeeds(['import', files[1]], { DATA_DIR: second })
    await succeeds(['verify'], { DATA_DIR: second })
    await succeeds(['export', files[2]], { DATA_DIR: second })
    assert.equal(withoutLastUses(files[2]), withoutLastUses(files[1]))
    for (const part of ['contracts', 'businesses', 'gateway']) {
      const before = commitsOf(part, files[0])
      assert.deepEqual(commitsOf(part, files[1]).slice(0, before.length), before)
    }
    const back = await startedMint({ dataFolder: second, environment: { MINT_API_KEY: configured } })
    await assertSameBooks(restClient(back), books)
    await assertFeedGoesOn(restClient(back), feed)
    await asBefore(restClient(back), contracts + 2)
    assert.equal((await restClient({ url: back.url, key })('GET', '/contracts?limit=1')).status, 200)

    async function relayIsAtWork(name: string): Promise<void> {
      const { checkpoints, close } = await openMongoDatabase({
        url: mongoUrl,
        name,
        views: [],
        viewsFolder: newFolder(),
      })
      const isTaken = async () => (await checkpoints.acquire(relayOf('businesses'), 'test', 1)) === undefined
      await waitFor(isTaken, { what: 'the relay to hold its lease' })
      await close()
    }

    /** The remembered answer to a repeated request, and the next number. */
    async function asBefore(call: ReturnType<typeof restClient>, next: number): Promise<void> {
      const again = await call('POST', '/contracts', aNewContract({ notes: 'remembered' }), IDEMPOTENT)
      assert.deepEqual([again.status, again.body], [201, remembered.body])
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      assert.equal(again.headers.get('etag'), '"1"')
      const unchangedAgain = await call('PATCH', `/contracts/${remembered.body.id}`, SAME_NOTES, UNCHANGED)
      assert.deepEqual([unchangedAgain.body, unchangedAgain.headers.get('etag')], [unchanged.body, '"1"'])
      assert.equal((await call('POST', '/contracts', aNewContract())).body.id, next)
    }

    async function goOnOnMongo(): Promise<void> {
      const { call, ...parts } = await separate.startAll()
      await assertSameBooks(call, books)
      await assertFeedGoesOn(call, feed)
      await asBefore(call, contracts + 1)
      for (const part of Object.values(parts)) assert.equal(await part.end(), 0)
    }
  }).timeout(120_000)
})

/** A Mint with books and a key of its own, two remembered answers on a contract that was edited since, and a business. */
async function liveABit(folder: string, configured: string) {
  await fillFolder(folder, { contracts: 20, businesses: 3 })
  const running = await startMint({ dataFolder: folder, environment: { MINT_API_KEY: configured } })
  const call = restClient(running)
  const books = await keepBooks(call)
  const remembered = await call('POST', '/contracts', aNewContract({ notes: 'remembered' }), IDEMPOTENT)
  const unchanged = await call('PATCH', `/contracts/${remembered.body.id}`, SAME_NOTES, UNCHANGED)
  await call('PATCH', `/contracts/${remembered.body.id}`, { notes: 'edited since' })
  const made = await mint(['keys', 'create', 'Kept', '--scopes', 'all', '--json'], { DATA_DIR: folder })
  const [{ key }] = jsonLines(made.output) as [{ key: string }]
  assert.equal((await restClient({ url: running.url, key })('GET', '/clients')).status, 200)
  const feed = await readFeed(call)
  running.signal('SIGTERM')
  await running.ended
  return { remembered, unchanged, key, contracts: Number(remembered.body.id), books, feed }
}

describeOn(mongoEngine(), 'An import into MongoDB', (mongoUrl) => {
  async function exported() {
    const [folder, namespace] = [newFolder(), `t${randomUUID().slice(0, 13)}`]
    const [data, file] = [join(folder, 'data'), join(folder, 'mint.ndjson')]
    await fillFolder(data, { contracts: 3, businesses: 1 })
    await succeeds(['export', file], { DATA_DIR: data })
    for (const part of PART_NAMES) atEnd(() => dropDatabase(mongoUrl, `${namespace}_${part}`))
    return { file, settings: { MONGO_URL: mongoUrl, NAMESPACE: namespace, VIEWS_DIR: join(folder, 'views') } }
  }

  it('writes to no folder but VIEWS_DIR, as in a container whose file system is read-only', async () => {
    const { file, settings } = await exported()
    const env = { ...bareEnvironment(), ...settings, TMPDIR: '/proc' }
    const { stdout } = await promisify(execFile)('cli/mint', ['import', file], { env })
    assert.match(stdout, /^Imported \d+ events\.\n$/)
  })

  it('that was interrupted is shown by mint status until it is complete; then it has no views to rebuild', async () => {
    const { file, settings } = await exported()
    const env = { ...bareEnvironment(), ...settings }
    const cutOff = promisify(execFile)('sh', ['-c', `head -n -1 "$0" | cli/mint import -`, file], { env })
    await assert.rejects(cutOff, { code: 1, stderr: /holds only part of the import/ })
    const logs = async () =>
      (await mint(['status'], settings)).output
        .split('\n')
        .filter((line) => /^(businesses|contracts|gateway) /.test(line))
    const partial = 'holds only part of an import: run the same import again'
    const begun = ['businesses', 'contracts', 'gateway'].map((part) => `${part.padEnd(12)}0         ${partial}`)
    assert.deepEqual(await logs(), begun)
    await succeeds(['import', file], settings)
    const positions = (await logs()).map((line) => line.trimEnd().split(/ +/))
    assert.deepEqual(positions, [
      ['businesses', '1'],
      ['contracts', '5'],
      ['gateway', '0'],
    ])
    const rebuilt = await mint(['views', 'rebuild'], settings)
    assert.equal(rebuilt.exitCode, 1)
    assert.match(
      rebuilt.errors,
      /^On MongoDB each process has its own views: stop it, remove its folder in VIEWS_DIR, /,
    )
  })
})

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n')

/** Exports may differ in their own id, the last uses of keys, and therefore the last line. */
const withoutLastUses = (file: string): string =>
  linesOf(file)
    .slice(1, -1)
    .filter((line) => !line.includes('"latestTimes"'))
    .join('\n')

const commitsOf = (part: string, file: string): string[] =>
  linesOf(file).filter((line) => line.startsWith(`{"part":"${part}","position"`))
