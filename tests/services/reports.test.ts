import assert from 'node:assert/strict'
import type { CodedError } from '../../shared/calls/errors.ts'
import { cleanup } from '../support/cleanup.ts'
import { aCall, aContract, present } from '../support/requests.ts'
import { openServices } from '../support/services.ts'

const EVERYTHING = { groupBy: [], limit: 0, offset: 0 }

describe('Reports with several clocks', () => {
  const ends = cleanup()

  it('include a write by a process whose clock is ahead', async () => {
    let ahead = 30_000
    const services = await openServices({ clock: () => Date.now() + ahead })
    ends(() => services.stop())
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
