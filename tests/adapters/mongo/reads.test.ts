import assert from 'node:assert/strict'
import { MongoClient } from 'mongodb'
import { createRowReader } from '../../../shared/adapters/mongo/views/row-reader.ts'
import { type RowDocument, rowsOf } from '../../../shared/adapters/mongo/views/view-row.ts'
import { cleanup } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { jobs } from '../../support/jobs.ts'
import { dropDatabase, newDatabaseName } from '../../support/mongo-database.ts'

describeOn(mongoEngine(), 'reads by id on MongoDB', (url) => {
  const atEnd = cleanup()

  async function open() {
    const name = newDatabaseName()
    const client = new MongoClient(url, { monitorCommands: true })
    atEnd(() => client.close())
    atEnd(() => dropDatabase(url, name))
    let queries = 0
    client.on('commandStarted', ({ commandName }) => {
      if (commandName === 'find') queries += 1
    })
    const rows = rowsOf(client.db(name), jobs)
    const read = createRowReader(rows, { read: (run) => run() })
    return { rows, read, queries: () => queries }
  }

  it('go together when they come together, each with its own answer', async () => {
    const { rows, read, queries } = await open()
    const documents = Array.from({ length: 50 }, (_, index) => row(`${index}`, 1))
    await rows.insertMany(documents)
    const ids = [...documents.map(({ _id }) => _id), 'nobody', '7', '7']
    const found = await Promise.all(ids.map(read))
    assert.deepEqual(found, [...documents, undefined, documents[7], documents[7]])
    assert.equal(queries(), 1)
  })

  it('show every write that ended before they came, however many others are under way', async () => {
    const { rows, read, queries } = await open()
    await rows.insertMany([row('a', 0), row('b', 0)])
    const readers = Array.from({ length: 8 }, async () => {
      for (let round = 0; round < 30; round++) await read('b')
    })
    for (let version = 1; version <= 30; version++) {
      await rows.replaceOne({ _id: 'a' }, row('a', version))
      assert.equal((await read('a'))?.version, version)
    }
    await Promise.all(readers)
    assert.ok(queries() < 8 * 30, `${queries()} queries`)
  })
})

function row(_id: string, version: number): RowDocument {
  return { _id, schema: 1, version, at: 0, createdAt: 0, order: _id, filters: {}, ranges: {}, texts: [], state: {} }
}
