import assert from 'node:assert/strict'
import { createPace, PIECE_BYTES } from '../../../shared/budget/pace.ts'

describe('The pace of a long answer', () => {
  it('grows step by step while rows are short', () => {
    const pace = createPace(100)
    const rows = [pace.rows()]
    for (let piece = 0; piece < 4; piece++) {
      pace.learn(pace.rows(), 200 * pace.rows())
      rows.push(pace.rows())
    }
    assert.deepEqual(rows, [4, 16, 64, 100, 100])
  })

  it('drops immediately to what fits when rows are long, but never below one', () => {
    const pace = createPace(100)
    pace.learn(10, 10 * 40_000)
    assert.equal(pace.rows(), Math.floor(PIECE_BYTES / 40_000))
    pace.learn(1, 10 * PIECE_BYTES)
    assert.equal(pace.rows(), 1)
  })
})
