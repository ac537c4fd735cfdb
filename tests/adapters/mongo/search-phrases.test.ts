import assert from 'node:assert/strict'
import { MongoClient } from 'mongodb'
import { createSegmentIndexes, segmentsOf } from '../../../shared/adapters/mongo/search/documents.ts'
import { toGramTerm } from '../../../shared/adapters/mongo/search/grams.ts'
import { findMatches } from '../../../shared/adapters/mongo/search/matches.ts'
import { createSegmentBuilder } from '../../../shared/adapters/mongo/search/segment-builder.ts'
import { cleanup } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { jobs } from '../../support/jobs.ts'
import { dropDatabase, newDatabaseName } from '../../support/mongo-database.ts'

describeOn(mongoEngine(), 'a segment of the search index on MongoDB', (url) => {
  const atEnd = cleanup()

  it('finds a term within one text of a row only, however long the term is', async () => {
    const name = newDatabaseName()
    const client = new MongoClient(url)
    atEnd(() => client.close())
    atEnd(() => dropDatabase(url, name))
    const collections = segmentsOf(client.db(name), jobs)
    await createSegmentIndexes(collections)
    const builder = createSegmentBuilder(collections)
    const rows = [
      ['abc', 'def'],
      ['ghiabcdef', 'jkl'],
      ['', 'abcdefghi'],
    ]
    for (const [index, texts] of rows.entries()) builder.add({ _id: `${index}`, createdAt: index, order: index, texts })
    const segment = await builder.finish()

    const found = async (term: string) => [...(await findMatches(collections, segment, toGramTerm(term)))]
    assert.deepEqual(await found('abc'), [0, 1, 2])
    assert.deepEqual(await found('abcdef'), [1, 2], 'not over the end of a text')
    assert.deepEqual(await found('cd'), [1, 2])
    assert.deepEqual(await found('defghi'), [2], 'nor of a row')
    assert.deepEqual(await found('jklabc'), [])
    assert.deepEqual(await found('abcdefghia'), [], 'nor further than the text goes')
  })
})
