import assert from 'node:assert/strict'
import fc from 'fast-check'
import { parseTags } from '../../../gateway/http/entity-tags.ts'
import { forAll } from '../../support/for-all.ts'

const strong = (value: string) => ({ weak: false, value })
const weak = (value: string) => ({ weak: true, value })

describe('A list of entity tags (RFC 9110)', () => {
  for (const [header, tags] of [
    ['"1"', [strong('1')]],
    ['W/"1"', [weak('1')]],
    [' "1" ,\t"2"', [strong('1'), strong('2')]],
    [',,"1",,', [strong('1')]],
    ['"a,b"', [strong('a,b')]],
    ['""', [strong('')]],
  ] as const) {
    it(`${JSON.stringify(header)} is understood`, () => assert.deepEqual(parseTags(header), { type: 'tags', tags }))
  }

  it('* is any', () => assert.deepEqual(parseTags(' * '), { type: 'any' }))

  for (const header of ['', ',', '1', '"1', '"1""2"', 'w/"1"', 'W/1', '"1"; "2"', '*,"1"', '"a b"']) {
    it(`${JSON.stringify(header)} is malformed`, () => assert.deepEqual(parseTags(header), { type: 'malformed' }))
  }

  it('every well-formed list is parsed back', () => {
    const value = fc.string({ unit: fc.integer({ min: 0x23, max: 0x7e }).map((code) => String.fromCharCode(code)) })
    const list = fc.array(fc.record({ weak: fc.boolean(), value }, { noNullPrototype: true }), { minLength: 1 })
    forAll([list], (tags) => {
      const header = tags.map((tag) => `${tag.weak ? 'W/' : ''}"${tag.value}"`).join(', ')
      assert.deepEqual(parseTags(header), { type: 'tags', tags })
    })
  })

  // In linear time: npm run bench:micro.
  for (const part of [' ', ',', '"', 'W/', '"a"']) {
    it(`${JSON.stringify(part)} repeated thousands of times is malformed`, () => {
      assert.deepEqual(parseTags(`${part.repeat(16_000)}x`), { type: 'malformed' })
    })
  }
})
