import assert from 'node:assert/strict'
import { MongoClient } from 'mongodb'
import { mint as command } from '../../support/command-line.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { linesWith } from '../../support/lines-with.ts'
import { withClient } from '../../support/mongod.ts'
import { create } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

describeOn(bothEngines(), 'Processes whose logs are restored to an earlier state while they run', (mongoUrl) => {
  it('exit and say why, and the next ones append where the restored logs end', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const { call, businesses, gateway } = await mint.startAll()
    const newKey = (name: string) => create(call, '/api-keys', { name, scopes: ['contracts:read'] })
    for (const name of ['first', 'second', 'third']) {
      await newKey(name)
      await create(call, '/businesses', { legalName: name })
    }
    // Lists bring the views up to date, which otherwise takes half a second: what they have not read, they don't miss.
    for (const path of ['/businesses', '/api-keys']) assert.equal((await call('GET', path)).body.total, 3)
    await keepFirst(`${mint.namespace}_businesses`)
    await keepFirst(`${mint.namespace}_gateway`)
    for (const { process, part } of [
      { process: businesses, part: 'businesses' },
      { process: gateway, part: 'gateway' },
    ]) {
      assert.deepEqual(await process.gone, [1, null])
      const why = `the log of ${mint.namespace}_${part} was restored to an earlier state`
      assert.equal(linesWith(process.log(), why).length, 1)
    }

    mint.start('businesses')
    const again = await mint.callerOf(mint.start('gateway'))
    await waitFor(async () => (await again('GET', '/readyz')).status === 200, { every: 100, what: 'the gateway' })
    await create(again, '/api-keys', { name: 'since', scopes: ['contracts:read'] })
    const { output } = await command(['verify', '--json'], { ...mint.settings, VIEWS_DIR: newFolder() })
    assert.deepEqual(linesWith(output, '"part":"gateway"'), [])
  }).timeout(120_000)

  const keepFirst = (name: string) =>
    withClient(new MongoClient(mongoUrl), (client) =>
      client
        .db(name)
        .collection<{ _id: number }>('log')
        .deleteMany({ _id: { $gt: 1 } }),
    )
})
