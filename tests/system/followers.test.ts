import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
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
