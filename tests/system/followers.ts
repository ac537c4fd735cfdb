import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { KINDS } from '../../shared/kinds/registry.ts'
import { atEnd } from '../support/cleanup.ts'
import { freePort } from '../support/free-port.ts'
import { startMint } from '../support/mint-process.ts'
import { aNewContract, create, type Rest, restClient } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

/** The examples that follow the feed into a copy. */
export const FOLLOWERS = { TypeScript: 'docs/examples/follower.ts', Python: 'docs/examples/follower.py' } as const

const KEY = 'mint_of_those_who_follow'

/** Registers a test of a follower: it and Mint are killed alternately. */
export function survivesKills(program: string, file: string, kills: number): void {
  it(`has the same records as Mint after either is killed with kill -9, ${kills} times in all`, async () => {
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
          // Mint was killed: an unacknowledged write may exist or not.
          await waitFor(async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok)
        }
      }
    }
    const writing = Promise.all([write(), write()])
    for (let kill = 0; kill < kills; kill++) {
      const enough = written + 3 + 10 * Math.random()
      await waitFor(() => written > enough)
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
    assert.ok(expected.size > kills)
    await waitFor(() => isDeepStrictEqual(recordsIn(copy), expected), {
      what: 'the copy to be complete',
    })
  }).timeout(180_000)
}

/** The records of a copy, by kind and id. */
export function recordsIn(file: string): Map<string, object> {
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

/** All contracts and businesses as Mint lists them, by kind and id. */
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
