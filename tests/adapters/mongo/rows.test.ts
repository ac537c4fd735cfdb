import assert from 'node:assert/strict'
import { MongoClient } from 'mongodb'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { writeRows } from '../../../shared/adapters/mongo/views/row-commands.ts'
import { cleanup } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { append, created, jobs } from '../../support/jobs.ts'
import { dropDatabase, newDatabaseName } from '../../support/mongo-database.ts'
import { waitFor } from '../../support/wait-for.ts'

interface Row {
  readonly _id: string
  readonly schema: number
  readonly version: number
  readonly text: string
}

describeOn(mongoEngine(), 'rows on MongoDB', (url) => {
  const atEnd = cleanup()

  async function open() {
    const name = newDatabaseName()
    const client = new MongoClient(url)
    atEnd(() => client.close())
    atEnd(() => dropDatabase(url, name))
    const db = client.db(name)
    const write = (...rows: Row[]) => writeRows({ db, collection: 'rows', durability: 'memory' }, rows)
    const read = async (_id: string) => (await db.collection<Row>('rows').findOne({ _id }))?.text
    return { write, read }
  }

  const row = (schema: number, version: number, text: string): Row => ({ _id: 'a', schema, version, text })

  it('are only ever replaced by newer ones, however late an older one comes', async () => {
    const { write, read } = await open()
    await write(row(1, 3, 'third'))
    for (const late of [row(1, 1, 'first'), row(1, 2, 'second'), row(1, 3, 'third again')]) {
      await write(late)
      assert.equal(await read('a'), 'third', late.text)
    }
    await write(row(1, 4, 'fourth'))
    assert.equal(await read('a'), 'fourth')
  })

  it('of a newer schema replace those of an older one, whatever their versions, and never the other way', async () => {
    const { write, read } = await open()
    await write(row(1, 5, 'older schema'))
    for (const version of [1, 2]) {
      await write(row(2, version, `newer schema ${version}`))
      assert.equal(await read('a'), `newer schema ${version}`)
    }
    for (const version of [1, 9]) await write(row(1, version, 'older schema'))
    assert.equal(await read('a'), 'newer schema 2')
  })

  it('are written each by itself: those that come too late hold up no others', async () => {
    const { write, read } = await open()
    await write(row(1, 2, 'there'))
    await write(row(1, 1, 'late'), { ...row(1, 1, 'new'), _id: 'b' }, { ...row(1, 2, 'new'), _id: 'c' })
    assert.deepEqual([await read('a'), await read('b'), await read('c')], ['there', 'new', 'new'])
  })

  it('are all written when they are more than the server takes in one command', async () => {
    const { write, read } = await open()
    const ids = Array.from({ length: 8 }, (_, index) => `large ${index}`)
    // By insert, by upsert, and by an insert that meets a duplicate.
    for (const [schema, version] of [
      [1, 1],
      [1, 2],
      [2, 1],
    ] as const) {
      const end = `${schema}.${version}`
      await write(...ids.map((_id) => ({ ...row(schema, version, 'x'.repeat(3_000_000) + end), _id })))
      for (const id of ids) assert.equal((await read(id))?.slice(-3), end, id)
    }
  })

  it('are there before a commit is found: whoever wrote it may have died before its row', async () => {
    const name = newDatabaseName()
    const client = new MongoClient(url)
    atEnd(() => client.close())
    atEnd(() => dropDatabase(url, name))
    const database = await openMongoDatabase({ url, name, views: [jobs] })
    atEnd(() => database.close())
    const row = await append(database, created('1', { title: 'there' }))
    const view = database.view(jobs)
    await waitFor(async () => (await view.checkpoint()) === (await database.events.head()), { what: 'the catch-up' })
    await client.db(name).collection(jobs.name).deleteMany({})
    const [event] = await database.events.readStream({ category: 'job', id: '1' })
    assert.equal(await view.get('1'), undefined)
    assert.equal((await database.events.findCommit(event?.commitId ?? ''))?.version, 1)
    assert.deepEqual(await view.get('1'), row)
  })
})
