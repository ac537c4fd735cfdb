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

  it('finds one or two characters in texts of any characters, in however many documents their grams are', async () => {
    const name = newDatabaseName()
    const client = new MongoClient(url)
    atEnd(() => client.close())
    atEnd(() => dropDatabase(url, name))
    const collections = segmentsOf(client.db(name), jobs)
    const builder = createSegmentBuilder(collections)
    // Of one UTF-16 unit, those above the surrogates included, and of two.
    const looked = ['a', '漢', '\ue000', '（', 'ｱ', '\uffff', '🧾', '\u{10ffff}']
    const others = [from(0x4e00, 5_000), from(0xe000, 0x2000), from(0x10000, 5_000)].flat()
    const characters = [...new Set([...looked, ...others])]
    for (const [index, character] of characters.entries()) {
      builder.add({ _id: `${index}`, createdAt: index, order: index, texts: [`税${character}${character}`] })
    }
    const segment = await builder.finish()
    assert.ok(segment.firstGrams.split('\0').length > 10)

    const count = async (term: string) => (await findMatches(collections, segment, toGramTerm(term))).length
    assert.equal(await count('税'), characters.length)
    for (const character of looked) {
      assert.deepEqual([await count(`税${character}`), await count(character)], [1, 1], JSON.stringify(character))
    }
  })
})

/** So many characters that follow each other. */
const from = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(first + index))
