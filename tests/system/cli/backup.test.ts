import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { bareEnvironment } from '../../support/bare-environment.ts'
import { assertSameBooks, type Books, keepBooks } from '../../support/books.ts'
import { atEnd } from '../../support/cleanup.ts'
import { mint as mintCommand } from '../../support/command-line.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { type MintProcess, runMint, startedMint } from '../../support/mint-process.ts'
import { aNewContract, type Rest, type RestAnswer, restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

describe('A backup of DATA_DIR', () => {
  const backUp = (from: string, to: string) => mintCommand(['backup', to], { DATA_DIR: from })
  const started = (dataFolder: string): Promise<MintProcess> => startedMint({ dataFolder })

  it('taken during writes, or as a plain copy of a stopped Mint’s files, has everything acknowledged before, including history, books, keys and remembered answers', async () => {
    const [folder, copy, plainCopy] = [newFolder(), newFolder(), newFolder()]
    const mint = await started(folder)
    const call = restClient(mint)
    const before = await writeSomething(call)
    const load = startLoad(call)
    await waitFor(() => load.created.size > 100, { what: 'the load to run' })
    const acknowledged = new Map(load.created)
    const { exitCode, output } = await backUp(folder, copy)
    assert.deepEqual([exitCode, output.startsWith(`${copy} is a copy of ${folder}`)], [0, true])
    const reached = load.created.size + 100
    await waitFor(() => load.created.size > reached, { what: 'the load to go on' })
    await load.finish()
    mint.signal('SIGTERM')
    await mint.ended

    cpSync(folder, plainCopy, { recursive: true })
    for (const copied of [copy, plainCopy]) {
      const restored = restClient({ url: (await started(copied)).url, key: mint.key })
      await assertStillThere(restored, before)
      for (const [path, body] of acknowledged) assert.deepEqual((await restored('GET', path)).body, body)
      await assertOneClientForEachBusiness(restored)
    }
    assert.equal(statSync(join(copy, 'contracts.db')).mode & 0o077, 0, 'readable by its own user alone')
  })

  it('is written only to an empty folder, and only from a folder with Mint data', async () => {
    const [folder, other] = [newFolder(), newFolder()]
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    const intoItself = await backUp(folder, folder)
    assert.equal(intoItself.errors, `${folder} is not empty: name a new folder for each backup.\n`)
    const fromNothing = await backUp(other, newFolder())
    assert.equal(
      fromNothing.errors,
      `DATA_DIR=${other} contains no Mint data: set DATA_DIR to the folder of Mint's data.\n`,
    )
    assert.deepEqual([intoItself.exitCode, fromNothing.exitCode], [1, 1])
  })

  it('is removed if a file can’t be copied', async () => {
    const [folder, copy] = [newFolder(), newFolder()]
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    writeFileSync(join(folder, 'gateway.db'), 'not a database')
    const { exitCode, errors } = await backUp(folder, copy)
    assert.equal(exitCode, 1)
    assert.match(errors, /gateway\.db.*not a database\n$/)
    assert.deepEqual(readdirSync(copy), [])
  })

  for (const [title, signal, exit] of [
    ['is removed if it is interrupted', 'SIGTERM', [143, null]],
    ['is refused if it was killed', 'SIGKILL', [null, 'SIGKILL']],
  ] as const) {
    it(title, async () => {
      const [folder, copy] = [newFolder(), newFolder()]
      await fillFolder(folder, { contracts: 1, businesses: 1 })
      const first = new DatabaseSync(join(folder, 'gateway.db'))
      // Large enough that the signal comes long before the last file is copied.
      first.exec('CREATE TABLE much (data BLOB); INSERT INTO much VALUES (zeroblob(64000000))')
      first.close()
      const backingUp = spawn(process.execPath, ['cli/launch.js', 'backup', copy], {
        env: { ...bareEnvironment(), DATA_DIR: folder },
      })
      const ended = once(backingUp, 'exit')
      const copied = () => statSync(join(copy, 'gateway.db'), { throwIfNoEntry: false })?.size ?? 0
      await waitFor(() => copied() > 0, { what: 'the first file' })
      backingUp.kill(signal)
      assert.deepEqual(await ended, exit)
      if (signal === 'SIGTERM') assert.deepEqual(readdirSync(copy), [])
      else {
        assert.deepEqual(await atEnd.kill(runMint({ dataFolder: copy })).ended, {
          exitCode: 1,
          output: '',
          errors: `Mint can't start: DATA_DIR=${copy} is a backup that was interrupted: use another one.\n`,
        })
      }
    })
  }
})

/** Callers that create contracts and businesses until they are told to finish; `created` has the answers by path. */
function startLoad(call: Rest) {
  const created = new Map<string, unknown>()
  let isFinishing = false
  const callers = Array.from({ length: 8 }, async () => {
    for (let count = 0; !isFinishing; count++) {
      const isBusiness = count % 5 === 4
      const answer = isBusiness
        ? await call('POST', '/businesses', { legalName: 'Load' })
        : await call('POST', '/contracts', aNewContract())
      assert.equal(answer.status, 201, answer.text)
      created.set(answer.headers.get('location') ?? '', answer.body)
    }
  })
  async function finish(): Promise<void> {
    isFinishing = true
    await Promise.all(callers)
  }
  return { created, finish }
}

interface Written {
  readonly request: readonly [string, string, object, Record<string, string>]
  readonly answer: RestAnswer
  readonly history: RestAnswer
  readonly books: Books
}

/** Books, a contract created under an Idempotency-Key and edited since, and a business. */
async function writeSomething(call: Rest): Promise<Written> {
  const books = await keepBooks(call)
  const request = ['POST', '/contracts', aNewContract(), { 'idempotency-key': randomUUID() }] as const
  const answer = await call(...request)
  assert.equal(answer.status, 201)
  await call('PATCH', `/contracts/${answer.body.id}`, { serviceFee: 19.99 })
  await call('POST', '/businesses', { legalName: 'École du Nord' })
  return { request, answer, books, history: await call('GET', `/contracts/${answer.body.id}/history`) }
}

async function assertStillThere(call: Rest, { request, answer, history, books }: Written): Promise<void> {
  await assertSameBooks(call, books)
  const path = `/contracts/${answer.body.id}`
  assert.deepEqual((await call('GET', `${path}/history`)).body, history.body)
  assert.equal(history.body.total, 2)
  const again = await call(...request)
  assert.deepEqual([again.status, again.body], [201, answer.body])
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  const next = await call('POST', '/contracts', aNewContract())
  assert.equal(next.status, 201)
  assert.ok(next.body.id > answer.body.id, 'numbers go on')
}

async function assertOneClientForEachBusiness(call: Rest): Promise<void> {
  const total = async (path: string): Promise<number> => (await call('GET', path)).body.total
  const businesses = await total('/businesses')
  assert.ok(businesses > 0)
  await waitFor(async () => (await total('/clients')) === businesses, { what: 'one Client for each business' })
}
