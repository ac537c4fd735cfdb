import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { cleanup } from '../../support/cleanup.ts'
import { type MintOptions, runMint, startedMints } from '../../support/mint-process.ts'
import { restClient } from '../../support/rest.ts'
import { temporaryFolders } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

describe('npm start -- --demo', () => {
  const ends = cleanup()
  const newFolder = temporaryFolders(ends)
  const started = startedMints(ends)

  it('fills a folder with three years of a firm’s records, exactly once, even after SIGINT and kill -9', async () => {
    const options = { dataFolder: newFolder(), arguments: ['--demo'], patience: 45_000 }
    assert.equal(await exitCodeOfDemo(options, 'SIGINT'), 130)
    assert.equal(await exitCodeOfDemo(options, 'SIGKILL'), null)
    const first = await started(options)
    const call = restClient(first)
    const contracts = (await call('GET', '/contracts?limit=1')).body
    const oldest = (await call('GET', '/contracts?limit=1&offset=4999')).body.contracts[0]
    const businesses = (await call('GET', '/businesses?limit=1')).body
    await waitFor(async () => (await call('GET', '/clients?limit=1')).body.total === 200, { what: '200 clients' })
    assert.deepEqual([contracts.total, businesses.total], [5000, 200])
    const years = (Date.now() - Date.parse(oldest.createdAt)) / (365 * 24 * 60 * 60 * 1000)
    assert.ok(years > 2.9 && years < 3.1, oldest.createdAt)
    assert.equal(oldest.serviceDate.slice(0, 10), oldest.createdAt.slice(0, 10))
    // On a Monday the last working day is Friday.
    assert.ok(Date.now() - Date.parse(contracts.contracts[0].createdAt) < 4 * 24 * 60 * 60 * 1000)
    first.signal('SIGTERM')
    await first.ended
    const second = await started(options)
    assert.match(second.output(), /holds data already/)
    const again = await restClient({ url: second.url, key: first.key })('GET', '/contracts?limit=1')
    assert.equal(again.body.total, 5000)
  }).timeout(60_000)

  /** Interrupts a demo while it is being made. A start without `--demo` must then refuse the unfinished data. */
  async function exitCodeOfDemo(options: MintOptions, signal: 'SIGINT' | 'SIGKILL'): Promise<number | null> {
    const { dataFolder } = options
    const begun = Date.now()
    const interrupted = runMint(options)
    ends(interrupted.kill)
    const log = join(dataFolder, 'contracts.db-wal')
    const hasBegun = () => {
      const file = statSync(log, { throwIfNoEntry: false })
      return file !== undefined && file.size > 2 ** 20 && file.mtimeMs > begun
    }
    await waitFor(hasBegun, { timeout: 15_000, every: 5, what: 'the demo to begin' })
    interrupted.signal(signal)
    const { exitCode, output } = await interrupted.ended
    assert.doesNotMatch(output, /ready on/)
    const refused = await runMint({ dataFolder }).ended
    assert.equal(refused.exitCode, 1)
    assert.match(refused.errors, /^Mint can't start: DATA_DIR=.* holds a demo that was interrupted: .*--demo.*\n$/)
    return exitCode
  }
})
