import assert from 'node:assert/strict'
import type { CodedError } from '../../shared/calls/errors.ts'
import { cleanup } from '../support/cleanup.ts'
import { aCall, aContract, present } from '../support/requests.ts'
import { openServices } from '../support/services.ts'

const EVERYTHING = { groupBy: [], limit: 0, offset: 0 }

describe('Reports while others write', () => {
  const ends = cleanup()

  it('show every write that was acknowledged, and never change about a moment that has passed', async () => {
    const services = await openServices()
    ends(() => services.stop())
    let acknowledged = 0
    let writing = true
    const write = async (): Promise<void> => {
      while (writing) {
        const { contract } = await services.contracts.createContract(aContract(), aCall())
        acknowledged += 1
        const id = present(contract).id
        await services.contracts.editContract({ id, serviceFee: String(id) }, aCall())
      }
    }
    const writers = Array.from({ length: 16 }, write)
    const answers = []
    for (let n = 0; n < 60; n++) {
      const before = acknowledged
      const answer = await services.reports.reportContracts(EVERYTHING)
      assert.ok((answer.sums?.count ?? 0) >= before, `${answer.sums?.count} of ${before} acknowledged`)
      answers.push(answer)
    }
    writing = false
    await Promise.all(writers)
    for (const answer of answers) {
      assert.deepEqual(await services.reports.reportContracts({ ...EVERYTHING, asOf: answer.asOf }), answer)
    }
  })

  it('show a write of a process whose clock is ahead', async () => {
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
