import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mint, succeeds } from '../../support/command-line.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { sharedMint, startedMint } from '../../support/mint-process.ts'
import { aNewContract, create, restClient } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { newFolder, temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const untilAfter = (moment: string) => waitFor(() => Date.now() > Date.parse(moment))

const MARCH = 'serviceDateFrom=2026-03-01&serviceDateTo=2026-03-31'

describe('mint fork', () => {
  const data = temporaryFolder()
  const original = sharedMint({ dataFolder: data.path })
  after(() => data.remove())
  const environment = { DATA_DIR: data.path }
  const call = (...[method, path, ...rest]: Parameters<ReturnType<typeof restClient>>) =>
    restClient(original())(method, path, ...rest)
  let moment: string
  let revoked: { readonly id: string; readonly key: string }

  before(async () => {
    await create(call, '/businesses', { legalName: 'Hafenbüro GmbH' })
    revoked = await create(call, '/api-keys', { name: 'Lost', scopes: ['contracts:read'] })
    for (const serviceDate of ['2026-03-01', '2026-03-31', '2026-04-01']) {
      const contract = await create(call, '/contracts', aNewContract({ serviceDate, serviceFee: 100, taxPercent: 19 }))
      // A fork includes its moment's whole millisecond.
      moment = contract.createdAt
    }
    await untilAfter(moment)
    await call('PATCH', '/contracts/1', { serviceFee: 250 })
    await create(call, '/contracts', aNewContract({ serviceDate: '2026-03-15' }))
    await create(call, '/businesses', { legalName: 'Later AG' })
    await call('DELETE', `/api-keys/${revoked.id}`)
  })

  it('creates an independent Mint as of a moment, in which a month’s tax can be changed and reports compared, and which accepts no key that was revoked since', async () => {
    const folder = join(newFolder(), 'a fork')
    const forked = await mint(['fork', '--at', moment, folder], environment)
    assert.deepEqual([forked.exitCode, forked.errors], [0, ''])
    assert.match(forked.output, new RegExp(`^${folder} is Mint as of ${moment} \\(\\d+ events\\)\\.`))
    assert.ok(forked.output.includes(` DATA_DIR='${folder}' npm start`), 'it can be pasted into a shell')
    await succeeds(['verify'], { DATA_DIR: folder })

    const { url } = await startedMint({ dataFolder: folder })
    assert.equal((await restClient({ url, key: revoked.key })('GET', '/contracts')).status, 401)
    const ask = restClient({ url, key: original().key })
    const then = (await call('GET', `/reports/contracts?groupBy=month&asOf=${moment}`)).body
    const inFork = (await ask('GET', '/reports/contracts?groupBy=month')).body
    assert.deepEqual([inFork.rows, inFork.sums], [then.rows, then.sums])
    assert.deepEqual((await ask('GET', '/businesses')).body.total, 1)
    assert.deepEqual((await ask('GET', '/contracts/1/history')).body.total, 1)

    for (const id of [1, 2]) assert.equal((await ask('PATCH', `/contracts/${id}`, { taxPercent: 20 })).status, 200)
    const taxOf = async (one: typeof ask, more: string) =>
      (await one('GET', `/reports/contracts?${MARCH}${more}`)).body.sums.tax
    assert.deepEqual([await taxOf(call, `&asOf=${moment}`), await taxOf(ask, '')], ['38', '40'])
    const { id } = await create(ask, '/contracts', aNewContract())
    assert.equal(id, 5, 'no number means one contract here and another one there')
  })

  it('copies everything if --at is omitted but webhooks, so that receivers aren’t notified of experiments', async () => {
    await create(call, '/webhooks', { url: 'https://receiver.example/' })
    const folder = join(newFolder(), 'fork')
    const { output } = await mint(['fork', folder, '--json'], environment)
    const { events, ...rest } = JSON.parse(output)
    assert.deepEqual(rest, { folder, at: null })
    const { output: exported } = await mint(['export', join(newFolder(), 'all'), '--json'], environment)
    assert.equal(events, JSON.parse(exported).events - 1, 'all but the creation of the webhook')
    await succeeds(['verify'], { DATA_DIR: folder })
    const forked = await startedMint({ dataFolder: folder })
    const { body } = await restClient({ url: forked.url, key: original().key })('GET', '/webhooks')
    assert.deepEqual(body, { webhooks: [], total: 0 })
  })

  it('says that it is as of now for a moment in the future', async () => {
    const words = ['fork', '--at', '9999-12-31T00:00:00Z', join(newFolder(), 'fork'), '--json']
    assert.equal(JSON.parse((await mint(words, environment)).output).at, null)
  })

  it('refuses a folder that is not empty, and an invalid moment, and writes nothing', async () => {
    const folder = newFolder()
    const wrong = await mint(['fork', '--at', 'yesterday', join(folder, 'new')], environment)
    assert.equal(wrong.exitCode, 2)
    assert.match(wrong.errors, /^--at: Not a timestamp\. Give a time by RFC 3339/)
    writeFileSync(join(folder, 'mine'), '')
    const full = await mint(['fork', folder], environment)
    assert.deepEqual([full.exitCode, full.errors], [1, `${folder} is not empty: name a new folder for each fork.\n`])
    assert.deepEqual(readdirSync(folder), ['mine'])
  })

  it('leaves an empty folder if an event can’t be read', async () => {
    const copy = join(newFolder(), 'copy')
    await succeeds(['backup', copy], environment)
    const contracts = new DatabaseSync(join(copy, 'contracts.db'))
    contracts.exec(`UPDATE events SET type = 'ContractPainted.v1' WHERE type = 'ContractEdited.v1'`)
    contracts.close()
    const folder = join(newFolder(), 'fork')
    const { exitCode, errors } = await mint(['fork', folder], { DATA_DIR: copy })
    assert.equal(exitCode, 1)
    assert.match(errors, /ContractPainted/)
    assert.doesNotMatch(errors, /run the same import again/)
    assert.deepEqual(readdirSync(folder), [])
  })
})

describeOn(bothEngines(), 'mint fork, from MongoDB', (mongoUrl) => {
  it('creates a folder that Mint starts from without MongoDB', async () => {
    const separate = await newSeparateMint(mongoUrl)
    const { call } = await separate.startAll()
    const contract = await create(call, '/contracts', aNewContract())
    const moment = new Date(Date.parse(contract.createdAt) + 1).toISOString()
    await untilAfter(moment)
    await call('PATCH', '/contracts/1', { serviceFee: 1 })
    const folder = join(newFolder(), 'fork')
    await succeeds(['fork', '--at', moment, folder], separate.settings)
    const { url } = await startedMint({ dataFolder: folder, environment: { MINT_API_KEY: separate.key } })
    const { body } = await restClient({ url, key: separate.key })('GET', '/contracts')
    assert.deepEqual(body, { contracts: [contract], total: 1 })
  })
})
