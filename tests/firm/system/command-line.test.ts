import assert from 'node:assert/strict'
import { itemsOf, mint, succeeds } from '../../support/command-line.ts'
import { startedMint } from '../../support/mint-process.ts'
import { aNewContract, create, restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describe('cli/mint firm', () => {
  it('shows and edits the firm and lists its history, even beside a running Mint', async () => {
    const dataFolder = newFolder()
    const { url, key } = await startedMint({ dataFolder })
    const call = restClient({ url, key })
    const run = (...words: string[]) => mint(['firm', ...words], { DATA_DIR: dataFolder })
    const items = (...words: string[]) => itemsOf(['firm', ...words], { DATA_DIR: dataFolder })
    const shown = async () => {
      const { body, headers } = await call('GET', '/firm')
      return [{ ...body, version: Number(headers.get('etag')?.slice(1, -1)) }]
    }
    assert.deepEqual(await items('show'), await shown())
    assert.match((await run('show')).output, /^name\n[\s\S]*timeZone {3}UTC\nupdatedAt {2}never\n/)
    assert.deepEqual(await items('history'), [])

    const set = await items('set', 'name=Harbour = Accounting', 'address=12 Quay Street\nHalifax', 'currency=JPY')
    assert.deepEqual([set, set[0]?.name], [await shown(), 'Harbour = Accounting'])
    assert.match((await run('show')).output, /^address {4}12 Quay Street\n {11}Halifax\nemail\n/m)
    assert.deepEqual(await items('set', 'name='), await shown())
    const { output } = await run('history')
    assert.match(output, /^1 .* FirmEdited\.v1 {2}by cli\n {5}name .*Harbour = Accounting\n/)
    assert.match(output, /\n2 .*\n {5}name {2}.*Harbour = Accounting → ""\n/)

    await call('POST', '/contracts', aNewContract())
    const refused = await run('set', 'currency=EUR')
    assert.deepEqual([refused.exitCode, refused.output], [1, ''])
    assert.match(refused.errors, /currency is JPY/)
  })

  it('changes how a running Mint dates contracts and rounds reports as soon as the command ends', async () => {
    const dataFolder = newFolder()
    const call = restClient(await startedMint({ dataFolder }))
    const set = (value: string) => succeeds(['firm', 'set', value], { DATA_DIR: dataFolder })
    const billed = async () => (await call('GET', '/reports/contracts')).body.sums.billed
    const timeZones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
    for (const timeZone of timeZones) {
      await set(`timeZone=${timeZone}`)
      const contract = aNewContract({ serviceFee: 0.5, taxPercent: 0 })
      const { serviceDate, createdAt } = await create(call, '/contracts', contract)
      assert.equal(serviceDate.slice(0, 10), new Date(createdAt).toLocaleDateString('sv', { timeZone }))
    }
    assert.equal(await billed(), '1')
    await set('currency=JPY')
    assert.equal(await billed(), '2')
    const { events } = (await call('GET', '/firm/history')).body
    assert.deepEqual(
      events.map(({ by, data }: Record<string, Record<string, unknown>>) => [by, data?.timeZone ?? data?.currency]),
      [...timeZones, 'JPY'].map((value) => ['cli', value]),
    )
  })

  it('refuses unknown fields and invalid values, naming each', async () => {
    const { exitCode, errors } = await mint(['firm', 'set', 'currency=eur', 'fax=1', 'updatedAt=x'], {
      DATA_DIR: newFolder(),
    })
    assert.equal(exitCode, 2)
    assert.match(errors, /currency: Not a currency[\s\S]*fax: [\s\S]*updatedAt: /)
    for (const name of ['__proto__', 'constructor']) {
      const unusual = await mint(['firm', 'set', `${name}=x`], { DATA_DIR: newFolder() })
      assert.deepEqual([unusual.exitCode, unusual.errors.slice(0, name.length + 9)], [2, `${name}: Unknown`])
    }
    const twice = await mint(['firm', 'set', 'name=a', 'name=b'], { DATA_DIR: newFolder() })
    assert.deepEqual([twice.exitCode, twice.errors], [2, 'name: Given twice. Give it once.\n'])
    const without = await mint(['firm', 'set', 'currency'], { DATA_DIR: newFolder() })
    assert.deepEqual([without.exitCode, without.errors.includes('as in currency=CAD')], [2, true])
  })
})
