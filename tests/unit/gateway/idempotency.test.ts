import assert from 'node:assert/strict'
import fc from 'fast-check'
import { canonicalJson } from '../../../gateway/routes/call-context.ts'
import { forAll } from '../../support/for-all.ts'

describe('The canonical form of a JSON value', () => {
  it('is the same whatever the order of members', () => {
    forAll([fc.dictionary(fc.string(), fc.jsonValue())], (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse())
      assert.equal(canonicalJson(reversed), canonicalJson(value))
    })
  })

  it('represents that value and no other', () => {
    forAll([fc.jsonValue()], (value) => {
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
    })
  })

  it('is the same whatever the notation of numbers', () => {
    for (const text of ['100', '1e2', '100.0', '1000e-1']) assert.equal(canonicalJson(JSON.parse(text)), '100')
    assert.equal(canonicalJson(-0), '0')
  })
})
