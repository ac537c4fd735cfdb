import assert from 'node:assert/strict'
import { itemsOf, mint } from '../../support/command-line.ts'
import { startedMint } from '../../support/mint-process.ts'
import { aNewContract, OVERRIDING, restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describe('cli/mint closing', () => {
  it('shows, sets and lists closings, even beside a running Mint', async () => {
    const dataFolder = newFolder()
    const { url, key } = await startedMint({ dataFolder })
    const run = (...words: string[]) => mint(['closing', ...words], { DATA_DIR: dataFolder })
    const items = (...words: string[]) => itemsOf(['closing', ...words], { DATA_DIR: dataFolder })
    assert.deepEqual(await items('show'), [])
    assert.match((await run('show')).output, /The books have never been closed/)
    const [closed] = await items('set', '2026-03-31', '--reason', 'March is filed.')
    const { at: _, ...rest } = closed ?? {}
    const reason = 'March is filed.'
    assert.deepEqual(rest, { closedThrough: '2026-03-31', reason, version: 1, by: 'cli', byName: null })
    assert.deepEqual(await items('show'), [closed])

    const scopes = ['contracts:write']
    const owner = restClient({ url, key })
    const { key: bookkeeping } = (await owner('POST', '/api-keys', { name: 'Bookkeeping', scopes })).body
    const refused = await restClient({ url, key: bookkeeping })(
      'POST',
      '/contracts',
      aNewContract({ serviceDate: '2026-03-31' }),
    )
    assert.equal(refused.status, 409)
    const late = aNewContract({ serviceDate: '2026-03-31' })
    const { id } = (await owner('POST', '/contracts', late, OVERRIDING)).body
    const history = ['history', 'contract', String(id)]
    const { output } = await mint(history, { DATA_DIR: dataFolder })
    assert.match(output, /^1 .* ContractCreated\.v1 .*\n {5}in a closed period: A late correction\n/)
    const asJson = await mint([...history, '--json'], { DATA_DIR: dataFolder })
    assert.match(asJson.output, /"overrideReason":"A late correction"/)

    const [opened] = await items('set', 'none', '--reason', 'A late invoice.')
    assert.deepEqual(await items('history'), [closed, opened])
    assert.match((await run('history')).output, /closed through 2026-03-31[\s\S]*open\n/)
    // The same values again, as the message about an invalid day has them, change nothing.
    assert.deepEqual(await items('set', 'null', '--reason', 'A late invoice.'), [opened])
  })

  it('refuses invalid values, naming its own arguments and options', async () => {
    const { exitCode, errors } = await mint(['closing', 'set', '2026-02-30', '--reason', ' '], {
      DATA_DIR: newFolder(),
    })
    assert.equal(exitCode, 2)
    assert.match(errors, /<day>: Not a date[\s\S]*--reason: /)
  })
})
