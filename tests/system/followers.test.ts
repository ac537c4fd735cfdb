import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { atEnd } from '../support/cleanup.ts'
import { describeOn, pythonProgram } from '../support/engines.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'
import { FOLLOWERS, recordsIn, survivesKills } from './followers.ts'

/** Each is killed twice; ten times in followers.nightly.ts. */
const KILLS = 4

describe('The follower in TypeScript', () => {
  survivesKills(process.execPath, FOLLOWERS.TypeScript, KILLS)
  resuming(process.execPath, FOLLOWERS.TypeScript)
})
describeOn(pythonProgram(), 'The follower in Python', (python) => {
  survivesKills(python, FOLLOWERS.Python, KILLS)
  resuming(python, FOLLOWERS.Python)
})

/** A page of one event. */
const EVENT = { type: 'mint.contract.created.v1', subject: '1', recordversion: 1, data: { version: 1, id: 1 } }
const PAGE = { events: [EVENT], next: 'first' }

function resuming(program: string, file: string): void {
  it('resumes after an answer that was cut off, and after the copy was locked', async () => {
    const copy = join(newFolder(), 'copy.db')
    const lock = { release: () => {} }
    const { url, cursors } = await servePages((cursors, res) => {
      if (cursors.length === 1) {
        res.writeHead(200, { 'content-length': 1_000 }).write('{', () => res.destroy())
        return
      }
      if (cursors.length === 2) {
        const other = new DatabaseSync(copy, { readOnly: true })
        other.exec('BEGIN; SELECT * FROM records')
        lock.release = () => other.close()
      }
      // The next page never comes.
      if (!cursors.includes('first')) res.end(JSON.stringify(PAGE))
    })
    atEnd(() => lock.release())
    const follower = spawn(program, [file, copy], { env: { ...process.env, MINT_URL: url } })
    atEnd(() => follower.kill('SIGKILL'))
    let errors = ''
    follower.stderr.on('data', (text) => (errors += text))
    await waitFor(() => errors.includes('locked'), { what: 'the copy to be locked' })
    lock.release()
    lock.release = () => {}
    await waitFor(() => cursors.includes('first'), { what: 'the page to be stored' })
    assert.deepEqual([...recordsIn(copy)], [['contract 1', { id: 1 }]])
  })

  it('prints what Mint says about a request that it refuses', async () => {
    const { url } = await servePages((_cursors, res) => res.writeHead(401).end('Send another key.'))
    const follower = spawn(program, [file, join(newFolder(), 'copy.db')], { env: { ...process.env, MINT_URL: url } })
    atEnd(() => follower.kill('SIGKILL'))
    let errors = ''
    follower.stderr.on('data', (text) => (errors += text))
    await waitFor(() => errors.includes('401: Send another key.'), { what: 'the refusal to be printed' })
  })

  it('stores nothing of a page in the middle of which it fails, and requests it again', async () => {
    const copy = join(newFolder(), 'copy.db')
    const { url, cursors } = await servePages((cursors, res) => {
      if (cursors.length === 1) res.end(JSON.stringify({ ...PAGE, events: [EVENT, null] }))
    })
    const follow = () => spawn(program, [file, copy], { env: { ...process.env, MINT_URL: url }, stdio: 'ignore' })
    const failing = follow()
    atEnd(() => failing.kill('SIGKILL'))
    // The one in Python ends, the one in TypeScript tries again.
    await Promise.race([once(failing, 'exit'), waitFor(() => cursors.length > 1, { what: 'the next request' })])
    failing.kill('SIGKILL')
    assert.deepEqual([...recordsIn(copy)], [])
    const again = follow()
    atEnd(() => again.kill('SIGKILL'))
    const before = cursors.length
    await waitFor(() => cursors.length > before, { what: 'the page to be requested again' })
    assert.deepEqual(new Set(cursors), new Set([null]))
  })
}

/** A server in place of Mint; `answer` is given the cursors of all requests so far. */
async function servePages(answer: (cursors: readonly (string | null)[], res: ServerResponse) => void) {
  const cursors: (string | null)[] = []
  const server = createServer((req, res) => {
    cursors.push(new URL(req.url ?? '', 'http://mint').searchParams.get('after'))
    answer(cursors, res)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cursors }
}
