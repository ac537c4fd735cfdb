import assert from 'node:assert/strict'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { ContractsService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { beforeNextAppend } from '../support/before-next-append.ts'
import { aCall, aContract, assertRefused, present } from '../support/requests.ts'
import { contractsOn, openServices } from '../support/services.ts'

describe('Two processes on one log', () => {
  let one: ContractsService
  let two: ContractsService
  let data: Database

  beforeEach(async () => {
    const services = await openServices()
    one = services.contracts
    data = services.contractsData
    two = contractsOn(data)
    await one.createContract(aContract())
  })

  it('keep all of their concurrent edits', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `name ${index}`)
    const edits = names.map((serviceName, index) =>
      (index % 2 === 0 ? one : two).editContract({ id: 1, serviceName }, aCall()),
    )
    const versions = (await Promise.all(edits)).map(({ contract }) => contract?.version)
    assert.deepEqual(
      versions.toSorted((a, b) => Number(a) - Number(b)),
      names.map((_, index) => index + 2),
    )
    const events = await data.events.readStream({ category: 'contract', id: '1' })
    const recorded = events.slice(1).map((event) => (event.data as { serviceName: string }).serviceName)
    assert.deepEqual(recorded.toSorted(), names.toSorted())
  })

  it('refuse an edit that loses every race until its deadline as unavailable, and write none of it', async () => {
    let count = 0
    const loser = contractsOn({
      ...data,
      events: {
        ...data.events,
        async append(commit) {
          await two.editContract({ id: 1, serviceName: `faster ${++count}` }, aCall())
          return await data.events.append(commit)
        },
      },
    })
    const edit = loser.editContract({ id: 1, notes: 'too slow' }, aCall({ deadline: Date.now() + 500 }))
    await assertRefused(edit, 'unavailable')
    assert.ok(count > 1, `lost only ${count} races`)
    assert.equal((await one.getContract({ id: 1 })).contract?.notes, '')
  })

  it('repeat the decision on an edit that lost a race, based on the state that the winner left', async () => {
    const lostOnce = losingOnce(() => two.editContract({ id: 1, serviceFee: '200' }, aCall()))
    const { contract } = await lostOnce.editContract({ id: 1, taxPercent: '10' }, aCall())
    const { serviceFee, taxPercent, totalFeeWithTax, version } = present(contract)
    assert.deepEqual(
      { serviceFee, taxPercent, totalFeeWithTax, version },
      {
        serviceFee: '200',
        taxPercent: '10',
        totalFeeWithTax: '220',
        version: 3,
      },
    )
  })

  it('refuse an edit that lost a race if the record is no longer at the version that it expects', async () => {
    const lostOnce = losingOnce(() => two.editContract({ id: 1, notes: 'first' }, aCall()))
    const late = { id: 1, notes: 'second', expectedVersions: { versions: [1] } }
    await assertRefused(lostOnce.editContract(late, aCall()), 'precondition_failed')
    const { notes, version } = present((await one.getContract({ id: 1 })).contract)
    assert.deepEqual({ notes, version }, { notes: 'first', version: 2 })
  })

  it('treat an edit that lost a race to an equal one as no change', async () => {
    const lostOnce = losingOnce(() => two.editContract({ id: 1, notes: 'same' }, aCall()))
    const { contract } = await lostOnce.editContract({ id: 1, notes: 'same' }, aCall())
    assert.equal(contract?.version, 2)
  })

  /** A process whose first append comes right after a write by another process. */
  const losingOnce = (write: () => Promise<unknown>): ContractsService => contractsOn(beforeNextAppend(data, write))
})
