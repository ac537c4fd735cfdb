import assert from 'node:assert/strict'
import { takeNext } from '../../../shared/adapters/sqlite/reading/waiting-reads.reader.ts'

describe('Waiting reads', () => {
  it('begin in order, except that reports run one at a time and lists don’t wait for them', () => {
    const waiting = ['sums', 'changes', 'list'].map((kind) => ({ kind }))
    const [first, second, third] = waiting
    assert.equal(takeNext(waiting, []), first)
    assert.equal(takeNext(waiting, ['sums']), third)
    assert.equal(takeNext(waiting, ['sums', 'list']), undefined)
    assert.equal(waiting.length, 1)
    assert.equal(takeNext(waiting, ['list']), second)
    assert.equal(waiting.length, 0)
  })
})
