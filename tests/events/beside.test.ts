import assert from 'node:assert/strict'
import { published } from '../../services/contracts/published.ts'
import { contractsViews } from '../../services/contracts/service.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { createEnveloper } from '../../shared/events/enveloper.ts'
import { createEventsService } from '../../shared/events/events-service.ts'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { namesNobody } from '../support/envelopes.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { aContract, assertRefused, present } from '../support/requests.ts'
import { contractsOn } from '../support/services.ts'

function eventsOf(database: Database) {
  const envelopesOf = createEnveloper({ database, published, nameOf: namesNobody })
  return createEventsService({ events: database.events, published, envelopesOf, logger: quietLogger() })
}

describeOnDatabases('Events written by another process', (open) => {
  it('are in the first page requested after they were acknowledged', async () => {
    const under = await open(contractsViews)
    const writer = contractsOn(under.database)
    const reader = eventsOf(await under.beside())
    let after = ''
    for (let index = 0; index < 20; index++) {
      const { id } = present((await writer.createContract(aContract())).contract)
      await writer.editContract({ id, notes: `edited ${index}` })
      const { events, next } = await reader.listEvents({ after, limit: 100, types: [] })
      assert.deepEqual(
        events.map(({ subject, recordversion, data }) => [subject, recordversion, JSON.parse(data).notes]),
        [
          [`${id}`, 1, aContract().notes ?? ''],
          [`${id}`, 2, `edited ${index}`],
        ],
      )
      after = next
    }
  })

  it('wake waiting readers', async () => {
    const under = await open(contractsViews)
    const writer = contractsOn(under.database)
    const reader = eventsOf(await under.beside())
    const delays: number[] = []
    for (let index = 0; index < 5; index++) {
      const { cursor } = await reader.getLatestCursor({ waitMilliseconds: 0 })
      const woken = reader.getLatestCursor({ after: cursor, waitMilliseconds: 4_000 }).then((answer) => {
        assert.notEqual(answer.cursor, cursor)
        return performance.now()
      })
      await writer.createContract(aContract())
      const written = performance.now()
      delays.push((await woken) - written)
    }
    assert.ok((delays.sort((a, b) => a - b)[2] ?? 0) < 500, `${delays}`)
  })

  it('have cursors distinct from those of another log, which are refused', async () => {
    const [one, other] = [(await open(contractsViews)).database, (await open(contractsViews)).database]
    for (const database of [one, other]) {
      await contractsOn(database).createContract(aContract())
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    const { cursor } = await eventsOf(one).getLatestCursor({ waitMilliseconds: 0 })
    const foreign = eventsOf(other).listEvents({ after: cursor, limit: 100, types: [] })
    await assertRefused(foreign, 'validation_failed', [{ pointer: '/after', code: 'unknown_cursor' }])
  })
})
