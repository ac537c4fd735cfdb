import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { mint as command } from '../../support/command-line.ts'
import { type MintProcess, startedMint } from '../../support/mint-process.ts'
import { aNewContract, restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const KEY = 'mint_lost-lock-0123456789'
const CALLERS = 8

describe('A Mint whose lock is removed while it runs', () => {
  const on = (dataFolder: string) => startedMint({ dataFolder, environment: { MINT_API_KEY: KEY } })

  it('exits by itself, says why, and loses nothing that it or the next Mint has acknowledged, even while both run', async () => {
    const folder = newFolder()
    const first = await on(folder)
    const before = startCreating(first, 'first')
    await waitFor(() => before.created.length > 50, { timeout: 20_000, what: 'contracts' })
    rmSync(join(folder, 'lock'))
    const second = await on(folder)
    const after = startCreating(second, 'second')
    await waitFor(() => after.created.length > 50, { timeout: 20_000, what: 'contracts of the second' })
    const { exitCode, errors } = await first.ended
    assert.equal(exitCode, 1)
    assert.match(errors, /the lock of the data folder is gone, so another Mint could write there: exiting/)
    await Promise.all([before.stop(), after.stop()])

    const created = [...before.created, ...after.created]
    assert.equal(new Set(created.map(({ id }) => id)).size, created.length, 'each has a number of its own')
    const call = restClient(second)
    for (const { id, notes } of created) {
      const { status, body } = await call('GET', `/contracts/${id}`)
      assert.deepEqual([status, body.notes], [200, notes])
    }
    const verified = await command(['verify'], { DATA_DIR: folder })
    assert.equal(verified.exitCode, 0, verified.output)
  }).timeout(60_000)
})

interface Created {
  readonly id: number
  readonly notes: string
}

/** Creates contracts, by several callers at once, until it is stopped or Mint is gone. */
function startCreating(mint: MintProcess, name: string) {
  const call = restClient(mint)
  const created: Created[] = []
  let count = 0
  let stopping = false
  const run = async (): Promise<void> => {
    while (!stopping) {
      const notes = `${name} ${++count}`
      const answer = await call('POST', '/contracts', aNewContract({ notes })).catch(() => undefined)
      if (answer === undefined) return
      if (answer.status === 201) created.push({ id: answer.body.id, notes })
    }
  }
  const running = Promise.all(Array.from({ length: CALLERS }, run))
  return {
    created,
    async stop() {
      stopping = true
      await running
    },
  }
}
