import assert from 'node:assert/strict'
import { totalmem } from 'node:os'
import { memoryOf } from '../../../shared/budget/budget.ts'

describe('The budget of memory', () => {
  it('is a part of the container’s memory, and of the machine’s where there is no container', () => {
    assert.equal(memoryOf({ constrainedMemory: () => 1_000 }), 1_000)
    assert.equal(memoryOf({ constrainedMemory: () => 2 ** 64 }), totalmem())
    assert.equal(memoryOf({ constrainedMemory: () => 0 }), totalmem())
  })
})
