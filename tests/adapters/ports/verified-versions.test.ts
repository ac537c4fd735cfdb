import assert from 'node:assert/strict'
import { createFindings } from '../../../cli/admin/verify/findings.ts'
import { scanLog } from '../../../cli/admin/verify/first-look.ts'
import { checkSuspectVersions } from '../../../cli/admin/verify/suspect-versions.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { Inspection } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import type { StoredVersion } from '../../../shared/event-sourcing/stored-versions.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { append, appendAll, created, edited, type Job, jobs, jobsByText, NOON } from '../../support/jobs.ts'

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
/** More than a page has. */
const MANY = 2_048

describeOnDatabases('the versions that views store', (open) => {
  it('are each listed once', async () => {
    const { database } = await open(views)
    const numbers = Array.from({ length: MANY + 1 }, (_, index) => String(index + 1))
    await appendAll(
      database,
      numbers.map((id) => created(id, { hours: Number(id) / 4, title: `Job ${id}` })),
    )
    const first = await database.view(addable).get('1')
    assert.ok(first)
    await append(database, edited(first, { client: 'Bob', title: 'Edited' }, NOON + 1))
    const [ledger, labels] = [await allStored(database, addable), await allStored(database, titled)]
    const inLog = (await database.events.readAll(0 as never, 10_000)).map(({ stream, version }) => [stream.id, version])
    assert.deepEqual(ledger.map(({ id, version }) => [id, version]).sort(), inLog.sort())
    const edit = { id: '1', version: 2, values: [NOON + 1, 'Bob', '2026-03-31', '0.25'] }
    assert.deepEqual(
      ledger.find(({ version }) => version === 2),
      edit,
    )
    assert.deepEqual(ledger.find(({ id }) => id === '2047')?.values, [NOON, 'Ada', '2026-03-31', '511.75'])
    assert.equal(labels.length, MANY + 2)
    assert.deepEqual(
      labels.filter(({ id }) => id === '1'),
      [
        { id: '1', version: 1, values: [NOON, 'Job 1', 1, 5] },
        { id: '1', version: 2, values: [NOON, 'Edited', 1, 6] },
      ],
    )
    assert.deepEqual(await database.inspection.storedVersions(jobs, undefined), {
      versions: [],
      damage: [],
      next: undefined,
    })
  })

  it('cause no false alarm in verify about a record that is edited during every read', async () => {
    const { database } = await open(views)
    let row: ViewRow<Job> = await append(database, created('1'))
    const edit = async () => {
      row = await append(database, edited(row, { hours: row.version, title: `Edit ${row.version}` }))
    }
    const { inspection } = database
    const busy: Inspection = {
      ...inspection,
      async storedVersions(view, from) {
        await edit()
        const page = await inspection.storedVersions(view, from)
        await edit()
        return page
      },
    }
    assert.deepEqual(await verified(busy), [])
    assert.ok(row.version >= 5, 'it was edited meanwhile')
  })
})

async function allStored({ inspection }: Database, view: AnyViewDefinition): Promise<StoredVersion[]> {
  const all: StoredVersion[] = []
  let from: string | undefined
  do {
    const { versions, damage, next } = await inspection.storedVersions(view, from)
    assert.deepEqual(damage, [])
    all.push(...versions)
    from = next
  } while (from !== undefined)
  return all
}

async function verified(inspection: Inspection) {
  const findings = createFindings('contracts')
  const options = { inspection, views: [addable], rules: {}, findings }
  const { views: checked } = await scanLog(options, () => undefined)
  for (const one of checked.values()) await checkSuspectVersions(options, one)
  return [...findings.found.values()]
}
