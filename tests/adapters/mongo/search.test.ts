import assert from 'node:assert/strict'
import { MongoClient } from 'mongodb'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { type SegmentCollections, segmentsOf } from '../../../shared/adapters/mongo/search/documents.ts'
import { createManifests } from '../../../shared/adapters/mongo/search/manifest.ts'
import { removeRetired } from '../../../shared/adapters/mongo/search/removal.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { foldForSearch } from '../../../shared/search-folding.ts'
import { cleanup } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { append, appendAll, created, edited, type Job, jobs, NOON, query, wholeView } from '../../support/jobs.ts'
import { dropDatabase, newDatabaseName } from '../../support/mongo-database.ts'
import { waitFor } from '../../support/wait-for.ts'

const WORDS = [
  'Ärger',
  'ΣΑΣ',
  'tax',
  'Taxi',
  '漢字',
  'a',
  'b',
  'x%y',
  '.*',
  '🧾',
  'payroll',
  'pay',
  'roll',
  'école',
  'É',
]
const TERMS = [
  'x',
  'ta',
  'tax',
  'taxi ',
  'AX',
  'σας',
  'ärg',
  '漢',
  '漢字',
  '.*',
  '%',
  '🧾',
  'roll pay',
  'yro',
  'é',
  'zzz',
]

describeOn(mongoEngine(), 'the search index on MongoDB', (url) => {
  const atEnd = cleanup()
  // So small that a few rows make several segments, which are merged again and again.
  const search = { from: 0, eventsABatch: 1, interval: 100, rowsASegment: 40 }

  async function openEmpty() {
    const name = newDatabaseName()
    atEnd(() => dropDatabase(url, name))
    const database = await openMongoDatabase({ url, name, views: [jobs], search })
    atEnd(() => database.close())
    const client = new MongoClient(url)
    atEnd(() => client.close())
    const manifests = createManifests(client.db(name))
    const filled = () =>
      waitFor(async () => (await manifests.read(jobs))?.position === (await database.events.head()), {
        timeout: 10_000,
        what: 'the search index to be filled',
      })
    return { database, filled, manifest: () => manifests.read(jobs), collections: segmentsOf(client.db(name), jobs) }
  }

  it('finds what looking through every text finds, whether entered already or not, page by page', async () => {
    const { database, filled } = await openEmpty()
    const job = (id: number) => created(`${id}`, { at: NOON + (id % 7), title: titleOf(id), kind: wordOf(id * 5) })
    await appendAll(
      database,
      Array.from({ length: 150 }, (_, index) => job(index + 1)),
    )
    await filled()
    await appendAll(
      database,
      Array.from({ length: 30 }, (_, index) => job(index + 151)),
    )
    const rows = await wholeView(database)
    for (const id of ['3', '77', '160']) {
      const row = rows.find((one) => one.id === id)
      assert.ok(row)
      await append(database, edited(row, { title: 'Taxi école 🧾' }))
    }
    await assertFindsAll(database)
    await filled()
    await assertFindsAll(database)
  }).timeout(60_000)

  it('merges what came little by little, and removes what nobody reads any more', async () => {
    const { database, filled, manifest, collections } = await openEmpty()
    for (let round = 0; round < 8; round++) {
      const ids = Array.from({ length: 4 }, (_, index) => round * 4 + index + 1)
      await appendAll(
        database,
        ids.map((id) => created(`${id}`, { at: NOON + (id % 5), title: titleOf(id) })),
      )
      await filled()
    }
    await assertFindsAll(database)
    const after = await manifest()
    assert.ok(after && after.segments.length < 4, `${after?.segments.length} segments`)
    assert.deepEqual(await segmentsOfDocuments(collections), idsOf([...after.segments, ...after.retired]))

    const long = after.retired.map(({ id }) => ({ id, at: Date.now() - 3_600_000 }))
    assert.deepEqual((await removeRetired(collections, { ...after, retired: long })).retired, [])
    assert.deepEqual(await segmentsOfDocuments(collections), idsOf(after.segments))
    await assertFindsAll(database)
  }).timeout(60_000)

  it('leaves few or many rows for bounds and a cursor to choose from', async () => {
    const { database, filled } = await openEmpty()
    const commits = Array.from({ length: 600 }, (_, index) =>
      created(`${index + 1}`, { at: NOON + index, title: index % 50 === 0 ? 'rare one' : 'one', hours: index % 4 }),
    )
    await appendAll(database, commits)
    await filled()
    for (const search of ['rare', 'one']) {
      const between = { hours: { from: 1, to: 2 } }
      const rows = (await wholeView(database)).filter(({ state }) => state.title.includes(search))
      const matching = rows.filter(({ state }) => state.hours === 1 || state.hours === 2)
      assert.ok(matching.length > 3)
      const page = await database.view(jobs).list(query({ search, between, limit: 3, after: rows[2]?.id }))
      const expected = matching.filter((row) => rows.indexOf(row) > 2).slice(0, 3)
      assert.deepEqual(page, { rows: expected, total: matching.length })
    }
  }).timeout(60_000)

  it('removes the index of an older schema, whose processes find everything all the while', async () => {
    const name = newDatabaseName()
    atEnd(() => dropDatabase(url, name))
    const client = new MongoClient(url)
    atEnd(() => client.close())
    const manifests = createManifests(client.db(name))
    const openWith = (definition: typeof jobs) => openMongoDatabase({ url, name, views: [definition], search })

    const before = await openWith(jobs)
    atEnd(() => before.close())
    await appendAll(
      before,
      Array.from({ length: 12 }, (_, index) => created(`${index + 1}`, { title: titleOf(index) })),
    )
    await waitFor(async () => (await manifests.read(jobs))?.position === 12, { what: 'the first index' })
    const newer = { ...jobs, schema: jobs.schema + 1 }
    await (await openWith(newer)).close()
    assert.deepEqual((await manifests.read(jobs))?.segments, [])
    await assertFindsAll(before)
    await before.close()

    const olderCollection = segmentsOf(client.db(name), jobs).entries.collectionName
    const collections = async () => (await client.db(name).collections()).map(({ collectionName }) => collectionName)
    await (await openWith(newer)).close()
    assert.ok((await collections()).includes(olderCollection))
    const longAgo = { 'retired.$[].at': Date.now() - 3_600_000 }
    await client.db(name).collection('search_manifests').updateMany({}, { $set: longAgo })
    const after = await openWith(newer)
    atEnd(() => after.close())
    assert.ok(!(await collections()).includes(olderCollection))
    assert.equal(await manifests.read(jobs), undefined)
    await assertFindsAll(after)
  }).timeout(60_000)

  it('finds rows again after a rebuild', async () => {
    const { database, filled } = await openEmpty()
    await appendAll(database, [created('1', { title: 'Tax return' }), created('2', { title: 'Payroll' })])
    await filled()
    await database.view(jobs).rebuild()
    await assertFindsAll(database)
    await filled()
    await assertFindsAll(database)
  })
})

const idsOf = (segments: readonly { readonly id: string }[]): string[] => segments.map(({ id }) => id).sort()

/** The segments that there are documents of. */
async function segmentsOfDocuments({ entries }: SegmentCollections): Promise<string[]> {
  const documents = await entries.find({}, { projection: { _id: 1 } }).toArray()
  return [...new Set(documents.map(({ _id }) => _id.split('/')[0] ?? ''))].sort()
}

const wordOf = (number: number): string => WORDS[number % WORDS.length] ?? ''
const titleOf = (id: number): string => [id, id * 3 + 1, id * 7 + 2].map(wordOf).join(id % 2 === 0 ? ' ' : '')

/** Each term, against the whole list, in pages of twenty. */
async function assertFindsAll(database: Database): Promise<void> {
  const rows = await wholeView(database)
  for (const term of TERMS) {
    const expected = rows.filter(({ state }) => has(state, term)).map(({ id }) => id)
    const found: string[] = []
    do {
      const page = await database.view(jobs).list(query({ search: term, limit: 20, offset: found.length }))
      assert.equal(page.total, expected.length, `total for ${term}`)
      found.push(...page.rows.map(({ id }) => id))
    } while (found.length < expected.length)
    assert.deepEqual(found, expected, `rows for ${term}`)
  }
}

function has({ title, kind }: Job, term: string): boolean {
  return [title, kind].some((text) => foldForSearch(text).includes(foldForSearch(term)))
}
