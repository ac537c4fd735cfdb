import assert from 'node:assert/strict'
import { describeOnDatabases } from '../../support/database-fixtures.ts'

describeOnDatabases('Latest times', (open) => {
  it('keep the latest time of each id, whatever the order of concurrent updates', async () => {
    const { database } = await open([])
    const [one, other] = [database.latestTimes('used'), database.latestTimes('used')]
    await one.raise(
      new Map([
        ['a', 5],
        ['b', 5],
      ]),
    )
    await other.raise(
      new Map([
        ['a', 9],
        ['b', 2],
      ]),
    )
    await Promise.all([1, 2, 3].flatMap((at) => [one, other].map((times) => times.raise(new Map([['c', at]])))))
    assert.deepEqual(
      await one.read(['a', 'b', 'c', 'd']),
      new Map([
        ['a', 9],
        ['b', 5],
        ['c', 3],
      ]),
    )
  })

  it('survive a reopen, separately for each kind', async () => {
    const under = await open([])
    await under.database.latestTimes('used').raise(new Map([['a', 5]]))
    const database = await under.reopen([])
    assert.deepEqual(await database.latestTimes('used').read(['a']), new Map([['a', 5]]))
    assert.deepEqual(await database.latestTimes('seen').read(['a']), new Map())
  })

  it('accept empty updates and empty queries', async () => {
    const times = (await open([])).database.latestTimes('used')
    await times.raise(new Map())
    assert.deepEqual(await times.read([]), new Map())
  })
})
