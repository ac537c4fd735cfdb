import assert from 'node:assert/strict'
import { discardDeadLetters, listDeadLetters } from '../../../cli/admin/dead-letters.ts'
import type { Parts } from '../../../cli/admin/parts.ts'
import { exportLog } from '../../../cli/admin/transfer/export.ts'
import { idOf } from '../../../services/contracts/client/dead-letters.ts'
import type { DeadLetter } from '../../../shared/event-sourcing/ports/dead-letters.ts'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'

/** How many letters of up to 15 MB may be in memory. */
const FEW = 10

describe('Many dead letters', () => {
  let letters: readonly DeadLetter[]
  let read: number[]
  const deadLetters = {
    count: async () => letters.length,
    list: async (limit: number, offset = 0) => {
      const found = letters.slice(offset, offset + limit)
      read.push(found.length)
      return found
    },
    remove: async (letter: DeadLetter) => {
      letters = letters.filter((one) => one !== letter)
    },
  }
  const part = {
    deadLetters,
    inspection: { head: async () => 0, lastNumber: async () => 0 },
    latestTimes: () => ({ read: async () => new Map() }),
    view: () => ({ list: async () => ({ rows: [] }) }),
  }
  const parts = { contracts: part, businesses: part, gateway: part } as unknown as Parts

  beforeEach(() => {
    letters = Array.from({ length: 2 * FEW + 5 }, (_, n) => {
      const message = { key: '', headers: {}, value: `value ${n}` } as unknown as TopicMessage
      return { topic: 'test', message, reason: 'Not JSON.', at: n }
    })
    read = []
  })

  it('are listed while only a few of them are in memory', async () => {
    const listed = await Array.fromAsync(listDeadLetters(parts, {}))
    const values = listed.map(({ value }) => value)
    assert.deepEqual([values, read], [letters.map(({ message }) => message.value), [FEW, FEW, 5]])
  })

  it('are exported while only a few of them are in memory', async () => {
    const exported = await Array.fromAsync(exportLog(parts, {}, () => undefined))
    const lines = exported.map(({ text }) => JSON.parse(text)).filter(({ deadLetter }) => deadLetter)
    assert.deepEqual([lines, read], [letters.map((deadLetter) => ({ deadLetter })), [FEW, FEW, 5]])
  })

  it('are discarded, all or one of them, while only a few of them are in memory', async () => {
    const [, second] = letters.map(idOf)
    const one = await Array.fromAsync(discardDeadLetters(parts, { id: `${second}` }))
    assert.deepEqual(one, [{ id: second }])
    const ids = letters.map(idOf)
    const all = await Array.fromAsync(discardDeadLetters(parts, { id: 'all' }))
    assert.deepEqual([all, letters], [ids.map((id) => ({ id })), []])
    assert.ok(Math.max(...read) <= FEW)
  })
})
