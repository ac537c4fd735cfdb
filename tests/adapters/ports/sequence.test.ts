import assert from 'node:assert/strict'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { appendAll, created, jobs } from '../../support/jobs.ts'

describeOnDatabases('sequence', (open) => {
  it('starts at 1 and counts separately for each category', async () => {
    const { database } = await open([])
    const [one, other] = [database.sequence('job'), database.sequence('note')]
    assert.deepEqual([await one.next(), await one.next(), await other.next(), await one.next()], [1, 2, 1, 3])
    assert.equal(await database.sequence('job').next(), 4)
  })

  it('never issues a number twice, however many callers request one concurrently', async () => {
    const { database } = await open([])
    const numbers = await Promise.all(Array.from({ length: 500 }, () => database.sequence('job').next()))
    assert.equal(new Set(numbers).size, 500)
    assert.equal(Math.min(...numbers), 1)
  })

  it('continues above every number issued before a close, used or not', async () => {
    const under = await open([jobs])
    let highest = 0
    for (let round = 0; round < 3; round++) {
      const sequence = under.database.sequence('job')
      const first = await sequence.next()
      assert.ok(first > highest, `${first} after ${highest}`)
      await appendAll(under.database, [created(String(first))])
      highest = await sequence.next()
      assert.ok(highest > first)
      await under.reopen([jobs])
    }
  })
})
