import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createFairStarts } from '../../../shared/calls/fair-starts.ts'
import { countTurns } from '../../support/count-turns.ts'

describe('Fair starts', () => {
  /** Longer than a caller's share of a turn. */
  function block(): void {
    const end = performance.now() + 4
    while (performance.now() < end);
  }

  it('start what exceeds a caller’s share in order, a share in each of the next turns', async () => {
    const turns = countTurns()
    const start = createFairStarts()
    const begun: [name: number, turn: number][] = []
    for (let name = 0; name < 6; name++) {
      start('a', () => {
        begun.push([name, turns.now()])
        block()
      })
    }
    assert.deepEqual(
      begun.map(([name]) => name),
      [0],
    )
    while (begun.length < 6) await nextTurn()
    turns.stop()
    assert.deepEqual(
      begun.map(([name]) => name),
      [0, 1, 2, 3, 4, 5],
    )
    assert.equal(new Set(begun.map(([, turn]) => turn)).size, 6)
  })

  it('start another caller’s work at once, and its share in each turn', async () => {
    const start = createFairStarts()
    const begun: string[] = []
    const work = (name: string) =>
      start(name.charAt(0), () => {
        begun.push(name)
        block()
      })
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) work(name)
    assert.deepEqual(begun, ['a1', 'b1'])
    while (begun.length < 5) await nextTurn()
    assert.deepEqual(begun, ['a1', 'b1', 'a2', 'b2', 'a3'])
  })

  it('queue later work of a caller behind what waits', async () => {
    const start = createFairStarts()
    const begun: string[] = []
    const work = (name: string) => start('a', () => void begun.push(name))
    start('a', block)
    for (const name of ['1', '2', '3']) work(name)
    assert.deepEqual(begun, [])
    setImmediate(work, '4')
    while (begun.length < 4) await nextTurn()
    assert.deepEqual(begun, ['1', '2', '3', '4'])
  })
})
