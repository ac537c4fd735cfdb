import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { DELIVERIES, heldKey } from '../../shared/webhooks/progress.ts'
import { gatewayViews } from '../../shared/webhooks/view.ts'
import { atEnd } from '../support/cleanup.ts'
import { describeOn, mongoEngine } from '../support/engines.ts'
import { temporaryDatabase } from '../support/mongo-database.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'
import { context, delivering, receiver, withDocuments } from './delivering.ts'

const CREATED = 'mint.contract.created.v1'
const EDITED = 'mint.contract.edited.v1'

describeOn(mongoEngine(), 'Deliveries to webhooks that are stored', (url) => {
  it('are not lost if a process that was replaced stores others under their numbers, however late', async () => {
    const name = temporaryDatabase(url)
    const options = { url, name, views: gatewayViews, viewsFolder: newFolder(), buildsViews: 'at-start' } as const
    const database = atEnd.close(await openMongoDatabase(options))
    const resumed = Promise.withResolvers<void>()
    let isStalled = false
    const stalling = withDocuments(database, (documents) => ({
      ...documents,
      async write(changes, lease) {
        isStalled ||= changes.some(([key]) => key.startsWith('held/'))
        if (isStalled) await resumed.promise
        await documents.write(changes, lease)
      },
    }))
    const answers = { status: 500 }
    const one = await receiver(() => answers.status)
    const { feed, administration, start, create } = delivering(stalling)
    const { id } = await create(one.url)
    feed.add('1', { type: CREATED })
    feed.add('2', { type: EDITED })
    const replaced = start()
    await waitFor(() => isStalled)
    const stopped = replaced.stop()
    // So that the next process counts differently.
    await administration.change(id, { types: [EDITED] }, context())

    const stored = async () => [...(await database.documents(DELIVERIES).list(heldKey(id))).values()]
    const isStored = (subject: string) => async () =>
      (await stored()).some((text) => JSON.parse(text).subject === subject)
    const next = delivering(database, feed).start()
    feed.add('3', { type: EDITED })
    await waitFor(isStored('3'))
    // By then, its lease has expired.
    await delay(3_500)
    resumed.resolve()
    await stopped
    feed.add('4', { type: EDITED })
    await waitFor(isStored('4'))
    await next.stop()

    answers.status = 204
    const before = one.received.length
    delivering(database, feed).start()
    await administration.change(id, { description: 'Try again' }, context())
    await waitFor(() => one.received.length === before + 3)
    const subjects = one.received.slice(before).map(({ event }) => event.subject)
    assert.deepEqual(subjects.toSorted(), ['2', '3', '4'])
  })
})
