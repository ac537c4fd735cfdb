import assert from 'node:assert/strict'
import { ApiProblem } from '../../../console/api/problem.ts'
import { retryWhileBusy } from '../../../console/csv/retry-while-busy.ts'

describe('A piece of an import that Mint is too busy for', () => {
  it('is sent again although the clock was set meanwhile', async () => {
    const realNow = Date.now
    let [now, sent] = [realNow(), 0]
    const send = async () => {
      sent += 1
      if (sent < 3) throw new ApiProblem(503, { code: 'unavailable' }, 0)
      return 'done'
    }
    Date.now = () => (now += 3_600_000)
    try {
      assert.equal(await retryWhileBusy(send), 'done')
    } finally {
      Date.now = realNow
    }
  })
})
