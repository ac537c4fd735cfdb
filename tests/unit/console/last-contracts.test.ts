import assert from 'node:assert/strict'
import { lastContracts } from '../../../console/clients/last-contracts.ts'

describe('The last contracts of a client', () => {
  const months = [
    { month: '2025-11', count: 4 },
    { month: '2026-01', count: 7 },
    { month: '2026-03', count: 5 },
  ]

  it('begin in the month with which there are enough, after those that are too many', () => {
    assert.deepEqual(lastContracts(months, 5), { from: '2026-03-01', offset: 0 })
    assert.deepEqual(lastContracts(months, 10), { from: '2026-01-01', offset: 2 })
  })

  it('are all where there are no more', () => {
    assert.deepEqual(lastContracts(months, 20), { from: undefined, offset: 0 })
    assert.deepEqual(lastContracts([], 10), { from: undefined, offset: 0 })
  })
})
