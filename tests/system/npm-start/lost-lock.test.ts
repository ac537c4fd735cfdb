import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { mint as command } from '../../support/command-line.ts'
import { type MintProcess, startedMint } from '../../support/mint-process.ts'
import { aNewContract, restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describe('A Mint whose lock is removed while it runs', () => {
  it('exits by itself, reports why, and loses nothing that it or the next Mint has acknowledged, even while both run', async () => {
    const dataFolder = newFolder()
    const start = () => startedMint({ dataFolder, environment: { MINT_API_KEY: 'mint_lost-lock-0123456789' } })
    const create = (mint: MintProcess) =>
      Promise.allSettled(Array.from({ length: 100 }, () => restClient(mint)('POST', '/contracts', aNewContract())))
    const first = await start()
    const answers = await create(first)
    let isGone = false
    void first.ended.then(() => (isGone = true))
    rmSync(join(dataFolder, 'lock'))
    const untilGone = async () => {
      while (!isGone) answers.push(...(await create(first)))
    }
    const creating = untilGone()
    const second = await start()
    answers.push(...(await create(second)))
    await creating
    const { exitCode, errors } = await first.ended
    assert.equal(exitCode, 1)
    assert.match(errors, /the lock of the data folder is gone, so another Mint could write there: exiting/)

    const created = answers.flatMap((one) =>
      one.status === 'fulfilled' && one.value.status === 201 ? [one.value] : [],
    )
    assert.ok(created.length >= 200, `${created.length} were acknowledged`)
    assert.equal(new Set(created.map(({ body }) => body.id)).size, created.length, 'each has a number of its own')
    for (const { body } of created) {
      assert.deepEqual((await restClient(second)('GET', `/contracts/${body.id}`)).body, body)
    }
    const verified = await command(['verify'], { DATA_DIR: dataFolder })
    assert.equal(verified.exitCode, 0, verified.output)
  })
})
