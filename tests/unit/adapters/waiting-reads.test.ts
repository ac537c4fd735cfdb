import assert from 'node:assert/strict'
import type { ReadRequest } from '../../../shared/adapters/sqlite/reading/thread.reader.ts'
import { createWaitingReads } from '../../../shared/adapters/sqlite/reading/waiting-reads.reader.ts'

const read = (number: number, kind: ReadRequest['kind']) => ({ number, kind }) as ReadRequest

describe('Waiting reads', () => {
  it('begin in order, except that reports run one at a time and lists don’t wait for them', () => {
    const waiting = createWaitingReads()
    const [first, second, third] = [read(1, 'sums'), read(2, 'changes'), read(3, 'list')]
    for (const one of [first, second, third]) waiting.add(one)
    assert.equal(waiting.take([]), first)
    assert.equal(waiting.take([first]), third)
    assert.equal(waiting.take([first, third]), undefined)
    assert.equal(waiting.isEmpty(), false)
    assert.equal(waiting.take([third]), second)
    assert.equal(waiting.isEmpty(), true)
  })
})
