import assert from 'node:assert/strict'
import type { CodedError } from '../../shared/calls/errors.ts'
import { aCall, aContract, present } from '../support/requests.ts'
import { openServices } from '../support/services.ts'

const EVERYTHING = { groupBy: [], limit: 0, offset: 0 }

describe('Reports with several clocks', () => {
  it('include a write by a process whose clock is ahead', async () => {
    let ahead = 30_000
    const services = await openServices({ clock: () => Date.now() + ahead })
    const { contract } = await services.contracts.createContract(aContract(), aCall())
    const { createdAt } = present(contract)
    ahead = 0
    const answer = await services.reports.reportContracts(EVERYTHING)
    assert.deepEqual([answer.sums?.count, answer.asOf], [1, createdAt])
    assert.deepEqual(await services.reports.reportContracts({ ...EVERYTHING, asOf: createdAt }), answer)
    const range = { since: 0, until: createdAt, limit: 10, offset: 0 }
    assert.equal((await services.reports.listContractChanges(range)).total, 1)
    await assert.rejects(
      services.reports.reportContracts({ ...EVERYTHING, asOf: createdAt + 1 }),
      (error: CodedError) => {
        assert.equal(error.violations[0]?.pointer, '/asOf')
        return true
      },
    )
  })
})

describe('Reports while the clock is set back', () => {
  it('don’t change once given, and show later writes as later ones', async () => {
    let back = 0
    const services = await openServices({ clock: () => Date.now() - back })
    const create = async () => present((await services.contracts.createContract(aContract(), aCall())).contract)
    await create()
    const first = await services.reports.reportContracts(EVERYTHING)
    back = 3_600_000
    const { createdAt } = await create()
    assert.ok(createdAt > first.asOf)
    const second = await services.reports.reportContracts(EVERYTHING)
    assert.deepEqual([second.sums?.count, second.asOf], [2, createdAt])
    await create()
    for (const { asOf, sums } of [first, second]) {
      assert.deepEqual((await services.reports.reportContracts({ ...EVERYTHING, asOf })).sums, sums)
    }
    const changes = await services.reports.listContractChanges({ since: second.asOf, limit: 10, offset: 0 })
    assert.equal(changes.total, 1)
    const future = { ...EVERYTHING, asOf: changes.until + 1 }
    await assert.rejects(services.reports.reportContracts(future), { code: 'validation_failed' })
  })
})
