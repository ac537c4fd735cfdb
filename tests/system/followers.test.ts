import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { KINDS } from '../../shared/kinds/registry.ts'
import { atEnd } from '../support/cleanup.ts'
import { describeOn, pythonProgram } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { startMint } from '../support/mint-process.ts'
import { aNewContract, create, type Rest, restClient } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

const KILLS = 20
const KEY = 'mint_of_those_who_follow'

describe('The follower in TypeScript', () => {
  surviving(process.execPath, 'docs/examples/follower.ts')
  resuming(process.execPath, 'docs/examples/follower.ts')
})
describeOn(pythonProgram(), 'The follower in Python', (python) => {
  surviving(python, 'docs/examples/follower.py')
  resuming(python, 'docs/examples/follower.py')
})

function resuming(program: string, file: string): void {
  it('resumes after an answer that was cut off, and after the copy was locked', async () => {
    const copy = join(newFolder(), 'copy.db')
    const event = { type: 'mint.contract.created.v1', subject: '1', recordversion: 1, data: { version: 1, id: 1 } }
    const reader = () => new DatabaseSync(copy, { readOnly: true })
    const lock = { release: () => {} }
    const cursors: (string | null)[] = []
    const server = createServer((req, res) => {
      cursors.push(new URL(req.url ?? '', 'http://mint').searchParams.get('after'))
      if (cursors.length === 1) {
        res.writeHead(200, { 'content-length': 1_000 }).write('{', () => res.destroy())
        return
      }
      if (cursors.length === 2) {
        const other = reader()
        other.exec('BEGIN; SELECT * FROM records')
        lock.release = () => other.close()
      }
      // The next page never comes.
      if (!cursors.includes('first')) res.end(JSON.stringify({ events: [event], next: 'first' }))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    atEnd(() => {
      lock.release()
      server.closeAllConnections()
      server.close()
    })
    const env = { ...process.env, MINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    const follower = spawn(program, [file, copy], { env })
    atEnd(() => follower.kill('SIGKILL'))
    let errors = ''
    follower.stderr.on('data', (text) => (errors += text))
    await waitFor(() => errors.includes('locked'), { what: 'the copy to be locked' })
    lock.release()
    lock.release = () => {}
    await waitFor(() => cursors.includes('first'), { what: 'the page to be stored' })
    assert.deepEqual([...recordsIn(copy)], [['contract 1', { id: 1 }]])
  }).timeout(60_000)
}

function surviving(program: string, file: string): void {
  it('has what Mint has after 20 times kill -9 of either', async () => {
    const folder = newFolder()
    const [dataFolder, copy] = [join(folder, 'data'), join(folder, 'copy.db')]
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const environment = { MINT_API_KEY: KEY, PORT: String(port) }
    const call = restClient({ url, key: KEY })
    let mint = await startMint({ dataFolder, environment })
    atEnd(() => mint.kill())

    const env = { ...process.env, MINT_URL: url, MINT_API_KEY: KEY }
    const follow = () => spawn(program, [file, copy], { env, stdio: 'ignore' })
    let follower = follow()
    const killFollower = async (): Promise<void> => {
      const gone = once(follower, 'exit')
      follower.kill('SIGKILL')
      await gone
    }
    atEnd(killFollower)

    let [written, isWriting] = [0, true]
    async function write(): Promise<void> {
      while (isWriting) {
        try {
          const { id } = await create(call, '/contracts', aNewContract())
          await call('PATCH', `/contracts/${id}`, { notes: 'seen' })
          await create(call, '/businesses', { legalName: `Firm of ${id}` })
          written += 1
        } catch {
          // Mint was killed: what it did not acknowledge may be there or not.
          await waitFor(async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok, { timeout: 30_000 })
        }
      }
    }
    const writing = Promise.all([write(), write()])
    for (let kill = 0; kill < KILLS; kill++) {
      const enough = written + 3 + 10 * Math.random()
      await waitFor(() => written > enough, { timeout: 30_000 })
      if (kill % 2 === 0) {
        await killFollower()
        follower = follow()
      } else {
        await mint.kill()
        mint = await startMint({ dataFolder, environment })
      }
    }
    isWriting = false
    await writing

    const expected = await allRecords(call)
    assert.ok(expected.size > KILLS)
    await waitFor(() => isDeepStrictEqual(recordsIn(copy), expected), {
      timeout: 30_000,
      what: 'the copy to be complete',
    })
  }).timeout(180_000)
}

/** The records of a copy, by kind and id. */
function recordsIn(file: string): Map<string, object> {
  const copy = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    const rows = copy.prepare('SELECT kind, id, data FROM records').all()
    return new Map(
      rows.map(({ kind, id, data }) => {
        const { version: _, ...record } = JSON.parse(String(data))
        return [`${kind} ${id}`, record]
      }),
    )
  } finally {
    copy.close()
  }
}

/** All contracts and businesses that Mint has, as it lists them, by kind and id. */
async function allRecords(call: Rest): Promise<Map<string, object>> {
  const records = new Map<string, object>()
  for (const [one, { many }] of Object.entries(KINDS)) {
    for (let total = 1, offset = 0; offset < total; offset += 100) {
      const { body } = await call('GET', `/${many}?limit=100&offset=${offset}`)
      total = body.total
      for (const record of body[many]) records.set(`${one} ${record.id}`, record)
    }
  }
  return records
}
