import assert from 'node:assert/strict'
import { contractsViews } from '../../services/contracts/service.ts'
import { newUuid } from '../../shared/calls/ids.ts'
import { closeThrough } from '../support/close-through.ts'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { aCall, aContract, assertRefused } from '../support/requests.ts'
import { contractsOn } from '../support/services.ts'

const IN_2025 = { serviceDate: '2025-12-01' }
const IN_2026 = { serviceDate: '2026-02-01' }

describeOnDatabases('A closing set by another process', (open) => {
  it('blocks no write that it allows, even if a dry run has seen it first', async () => {
    const under = await open(contractsViews)
    const contracts = contractsOn(under.database)
    const commandLine = await under.beside()
    const dryRun = () => contracts.checkNewContracts({ contracts: [{ contract: aContract(IN_2026) }] }, aCall())
    const create = async (fields: object) => (await contracts.createContract(aContract(fields), aCall())).contract?.id
    assert.equal(await create(IN_2025), 1)
    for (const closedThrough of ['2025-12-31', null, '2025-12-31', '2024-12-31']) {
      await closeThrough(commandLine, closedThrough)
      await dryRun()
      assert.ok(await create(IN_2026))
      await contracts.editContract({ id: 2, notes: `closed through ${closedThrough}` }, aCall())
      const late = create(IN_2025)
      await (closedThrough === '2025-12-31' ? assertRefused(late, 'period_closed') : late)
    }
  })

  it('applies to the next write of a process that has not seen it, which is refused or allowed again', async () => {
    const under = await open(contractsViews)
    const contracts = contractsOn(under.database)
    const commandLine = await under.beside()
    const create = (fields: object) => contracts.createContract(aContract(fields), aCall())
    await create(IN_2025)
    const writes = [
      () => create(IN_2025),
      () => contracts.editContract({ id: 1, notes: newUuid() }, aCall()),
      // Depends on the firm's time zone as well.
      () => create({ serviceDate: undefined }),
    ]
    for (const write of writes) {
      for (const closedThrough of ['9999-12-31', null, '9999-12-31', null]) {
        await closeThrough(commandLine, closedThrough)
        await (closedThrough === null ? write() : assertRefused(write(), 'period_closed'))
      }
    }
  })
})
