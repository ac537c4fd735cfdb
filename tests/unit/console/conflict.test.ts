import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Field } from '../../../console/fields/fields.ts'
import { type Choice, differencesOf, merged } from '../../../console/records/conflict.ts'
import { forAll } from '../../support/for-all.ts'

const NAMES = ['a', 'b', 'c', 'd']
const fields = NAMES.map((name) => ({ name }) as Field)
const texts = fc.record(Object.fromEntries(NAMES.map((name) => [name, fc.constantFrom('1', '2', '3')])))
const versions = fc.record({ before: texts, theirs: texts, mine: texts })

describe('Two edits of one record', () => {
  const before = { a: '1', b: '1', c: '1', d: '1' }
  const given = { before, theirs: { ...before, a: '2', c: '2', d: '2' }, mine: { ...before, b: '3', c: '3', d: '2' } }
  const differences = differencesOf(fields, given)

  it('are compared field by field', () => {
    const types = differences.map(({ field, type }) => [field.name, type])
    assert.deepEqual(types, [
      ['a', 'theirs'],
      ['b', 'mine'],
      ['c', 'conflict'],
      ['d', 'same'],
    ])
  })

  it('are merged once every conflict is decided', () => {
    assert.equal(merged(given, differences, {}), undefined)
    assert.deepEqual(merged(given, differences, { c: 'mine' }), { a: '2', b: '3', c: '3', d: '2' })
    assert.deepEqual(merged(given, differences, { c: 'theirs' }), { a: '2', b: '3', c: '2', d: '2' })
  })

  it('lose nothing silently: a value is dropped only for a field that was shown', () => {
    forAll([versions, fc.constantFrom<Choice>('mine', 'theirs')], (given, choice) => {
      const differences = differencesOf(fields, given)
      const result = merged(given, differences, Object.fromEntries(NAMES.map((name) => [name, choice])))
      for (const name of NAMES) {
        const [old, theirs, mine] = [given.before[name], given.theirs[name], given.mine[name]]
        const isShown = differences.some(({ field }) => field.name === name)
        assert.equal(isShown, theirs !== old || mine !== old)
        if (mine === old) assert.equal(result?.[name], theirs)
        else if (theirs === old) assert.equal(result?.[name], mine)
        else assert.equal(result?.[name], choice === 'mine' ? mine : theirs)
      }
    })
  })
})
