import assert from 'node:assert/strict'
import { BEGINNING, type LogEvent } from '../../../shared/event-sourcing/event.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { ViewDifference } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { foldBatch } from '../../../shared/event-sourcing/projector.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { append, appendAll, created, edited, type Job, jobs, jobsByText, NOON, wholeLog } from '../../support/jobs.ts'

/** Jobs that can be added up by client. */
const addable: typeof jobs = {
  ...jobs,
  versions: {
    kind: 'ledger',
    texts: { client: ({ client }) => client },
    date: ({ due }) => due,
    amounts: { hours: ({ hours }) => String(hours) },
    summed: ['hours'],
  },
}
/** Jobs by title, at every moment. */
const titled: typeof jobs = {
  ...jobsByText,
  versions: {
    kind: 'labels',
    label: ({ title }) => title,
    since: ({ createdAt }) => createdAt,
    era: () => 1,
    number: ({ title }) => title.length,
  },
}
const views = [addable, titled]
/** More than fit in one storage unit of versions. */
const COUNT = 2_500

describeOnDatabases('a copy of views', (open) => {
  it('equals what appends have written, however many rows and versions there are', async () => {
    const { database } = await open(views)
    const numbers = Array.from({ length: COUNT }, (_, index) => index + 1)
    const at = (number: number) => NOON + Math.floor(number / 3)
    await appendAll(
      database,
      numbers.map((number) => created(`${number}`, { at: at(number), hours: number / 4, title: `Job ${number}` })),
    )
    const first = await database.view(addable).get('1')
    assert.ok(first)
    await append(database, edited(first, { client: 'Bob', title: 'Edited' }, NOON + COUNT))
    assert.deepEqual(await differences(database, await wholeLog(database)), [])
  })

  it('is compared as of one moment, although a record is edited at every step', async () => {
    const { database } = await open(views)
    let row: ViewRow<Job> = await append(database, created('1'))
    const edit = async () => {
      row = await append(database, edited(row, { hours: row.version, title: `Edit ${row.version}` }))
    }
    await using copy = await database.inspection.copyViews(views, foldBatch)
    await edit()
    const log = await wholeLog(database)
    await copy.apply(log)
    await edit()
    const pinned = await copy.pin()
    await edit()
    const after = await database.events.readAll(log.at(-1)?.position ?? BEGINNING, 10)
    await copy.apply(after.filter(({ position }) => position <= pinned))
    for (const view of views) {
      for await (const difference of copy.differences(view)) assert.fail(JSON.stringify(difference))
      await edit()
    }
    assert.equal(row.version, 6)
  })

  it('reports every way in which a row can differ from it', async () => {
    const { database } = await open(views)
    const row = await append(database, created('7', { title: 'École' }))
    await append(database, edited(row, { kind: 'audit', hours: 3 }))
    const [first, second] = (await wholeLog(database)) as [LogEvent, LogEvent]
    const rowsAfter = async (...events: LogEvent[]) =>
      (await differences(database, events)).flatMap(({ of, id, message }) =>
        of === 'row' ? [`${id}: ${message}`] : [],
      )
    const changed = (data: object): LogEvent => ({ ...second, data: { ...second.data, ...data } })
    const both = (message: string) => [`7: ${message}`, `7: ${message}`]
    assert.deepEqual(await rowsAfter(first), both('it is at a later version than the log'))
    assert.deepEqual(
      await rowsAfter(first, second, { ...second, version: 3 }),
      both('it is at an earlier version than the log'),
    )
    assert.deepEqual(await rowsAfter(), both('it is not in the log'))
    const other = { ...first, stream: { ...first.stream, id: '8' } }
    assert.deepEqual(await rowsAfter(first, second, other), ['8: it is missing', '8: it is missing'])
    const differs = both('it differs from what the log folds to')
    assert.deepEqual(await rowsAfter(first, { ...second, at: second.at + 1 }), differs)
    assert.deepEqual(await rowsAfter(first, changed({ client: 'Bob' })), differs)
    assert.deepEqual(await rowsAfter(first, changed({ createdAt: 5 })), differs)
    // Only the view that doesn’t name its fields stores others.
    assert.deepEqual(await rowsAfter(first, changed({ note: 'new' })), differs.slice(1))
    const inAnotherOrder = Object.fromEntries(Object.entries(first.data).reverse())
    assert.deepEqual(await rowsAfter({ ...first, data: inAnotherOrder }, second), [])
  })

  it('reports every way in which a version can differ from it', async () => {
    const { database } = await open(views)
    const row = await append(database, created('7', { title: 'École', hours: 2 }))
    await append(database, edited(row, { hours: 3 }, NOON + 1))
    const [first, second] = (await wholeLog(database)) as [LogEvent, LogEvent]
    const versionsAfter = async (...events: LogEvent[]) =>
      (await differences(database, events)).flatMap(({ of, version, isMissing, message }) =>
        of === 'row' ? [] : [`${of} ${version}: ${message}${isMissing ? '!' : ''}`],
      )
    assert.deepEqual(await versionsAfter(first), [
      'ledger 1: until is 2026-01-31T09:30:00.001Z, but open in the log',
      'ledger 2: it is not in the log',
      'labels 2: it is not in the log',
    ])
    assert.deepEqual(await versionsAfter(first, second, { ...second, version: 3 }), [
      'ledger 2: until is open, but 2026-01-31T09:30:00.001Z in the log',
      'ledger 3: it is missing!',
      'labels 3: it is missing!',
    ])
    const renamed = {
      ...second,
      at: second.at + 999,
      data: { client: 'Bob', due: '2026-04-30', title: 'Lycée', hours: 4 },
    }
    assert.deepEqual(await versionsAfter(first, renamed), [
      'ledger 1: until is 2026-01-31T09:30:00.001Z, but 2026-01-31T09:30:01.000Z in the log',
      'ledger 2: at is 2026-01-31T09:30:00.001Z, but 2026-01-31T09:30:01.000Z in the log; client is Ada, but Bob in ' +
        'the log; hours is 3, but 4 in the log; date is 2026-03-31, but 2026-04-30 in the log',
      'labels 2: label is École, but Lycée in the log',
    ])
    const earlier = { ...second, data: { ...second.data, createdAt: NOON - 1 } }
    assert.deepEqual(await versionsAfter(first, earlier), [
      'labels 2: since is 2026-01-31T09:30:00.000Z, but 2026-01-31T09:29:59.999Z in the log',
    ])
    const fraction = { ...second, data: { ...second.data, hours: 3.0000000001 } }
    assert.deepEqual(await versionsAfter(first, fraction), ['ledger 2: hours is 3, but 3.0000000001 in the log'])
  })

  it('reports which stored past state differs from it, even if the row does not', async () => {
    const { database } = await open(views)
    let row = await append(database, created('7', { kind: 'audit' }))
    for (const hours of Array.from({ length: 70 }, (_, index) => index)) {
      row = await append(database, edited(row, { hours, ...(hours === 68 && { kind: 'advice' }) }))
    }
    const log = await wholeLog(database)
    assert.deepEqual(await differences(database, log), [])
    const changed = log.map((event, index) => (index === 9 ? { ...event, data: { kind: 'other' } } : event))
    const found = (await differences(database, changed)).filter(({ of }) => of === 'snapshots')
    const difference = { of: 'snapshots', id: '7', version: 64, message: 'it differs from what the log folds to' }
    assert.deepEqual(found, [difference, difference])
  })
})

/** How the stored views differ from what these events fold to. */
async function differences({ inspection }: Database, log: readonly LogEvent[]) {
  await using copy = await inspection.copyViews(views, foldBatch)
  await copy.apply(log)
  await copy.pin()
  const found: ViewDifference[] = []
  for (const view of views) for await (const difference of copy.differences(view)) found.push(difference)
  return found
}
