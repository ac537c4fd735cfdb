import assert from 'node:assert/strict'
import { contractsViews } from '../../../services/contracts/service.ts'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { atEnd } from '../../support/cleanup.ts'
import { closeThrough } from '../../support/close-through.ts'
import { describeOn, mongodProgram } from '../../support/engines.ts'
import { type Mongod, startReplicaSet } from '../../support/mongod.ts'
import { aCall, aContract, aKeyedCall } from '../../support/requests.ts'
import { contractsOn } from '../../support/services.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createNetwork, missingForNetwork } from '../../torture/cluster/network.ts'
import { withTwoPrimaries } from '../../torture/faults/two-primaries.ts'

const missing = missingForNetwork()

describeOn(missing === undefined ? mongodProgram() : { missing }, 'A deposed primary', (program) => {
  it('lets no process that is still connected to it acknowledge a write, not even a no-op', async () => {
    const names = ['mongo0', 'mongo1', 'mongo2']
    const network = atEnd.remove(await createNetwork(names))
    const hosts = names.map((name) => network.host(name))
    const mongo = atEnd.remove(await startReplicaSet(program, 3, hosts))
    const primary = await mongo.primary()

    async function openOn({ address }: Mongod): Promise<Database> {
      const url = `mongodb://${address}/?directConnection=true`
      return atEnd.close(
        await openMongoDatabase({ url, name: 'deposed', views: contractsViews, viewsFolder: newFolder() }),
      )
    }

    const old = await openOn(primary)
    await closeThrough(old, '2025-12-31')
    await contractsOn(old).createContract(aContract({ notes: 'as before' }), aCall())

    await withTwoPrimaries(mongo, primary, async (elect) => {
      const hostOf = (mongod: Mongod) => hosts[mongo.members.indexOf(mongod)] as (typeof hosts)[number]
      const others = mongo.members.filter((mongod) => mongod !== primary)
      const cuts = await Promise.all(others.map((other) => network.cut(hostOf(primary), hostOf(other))))
      await elect()
      const [successor] = others as [Mongod]
      const current = await waitFor(() => openOn(successor), { what: 'the successor to take writes' })
      await closeThrough(current, null)
      await contractsOn(current).editContract({ id: 1, notes: 'of somebody else' }, aCall())

      const stale = contractsOn(old)
      assert.equal((await stale.getContract({ id: 1 })).contract?.notes, 'as before')
      const same = { id: 1, notes: 'as before' }
      const answers = await Promise.allSettled([
        closeThrough(old, '2025-12-31'),
        stale.editContract(same, aCall()),
        stale.editContract({ ...same, expectedVersions: { versions: [1] } }, aCall()),
        stale.editContract(same, aKeyedCall('k', 'edit')),
      ])
      assert.deepEqual(
        answers.map((answer) =>
          answer.status === 'rejected' ? (answer.reason.code ?? answer.reason.name) : 'answered',
        ),
        ['StoreUnavailable', 'unavailable', 'unavailable', 'outcome_unknown'],
      )
      for (const heal of cuts) await heal()
    })
  }).timeout(90_000)
})
