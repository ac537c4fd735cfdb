import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CALLER_LEFT } from '../../../shared/calls/errors.ts'
import { createFairStarts } from '../../../shared/calls/fair-starts.ts'
import { aClosable } from '../../support/closable.ts'
import { block, countTurns } from '../../support/count-turns.ts'

/** Longer than a caller's share of a turn, in milliseconds. */
const LONG = 4

describe('Fair starts', () => {
  function startsOf(milliseconds: number) {
    const start = createFairStarts()
    const begun: string[] = []
    const work = (name: string) =>
      start(name.charAt(0), () => {
        begun.push(name)
        block(milliseconds)
        return name
      })
    return { start, begun, work }
  }

  it('make up for what overran a share in as many turns, in which others’ work starts', async () => {
    const counted = countTurns()
    const start = createFairStarts()
    const turn = async () => counted.now()
    const long = await start('a', async () => {
      block(10 * LONG)
      return counted.now()
    })
    const [next, other] = await Promise.all([start('a', turn), start('b', turn)])
    counted.stop()
    assert.ok(next - long >= 10, `started ${next - long} turns later`)
    assert.ok(other < next)
  })

  it('start another caller’s work at once, and then each caller’s in order', async () => {
    const { begun, work } = startsOf(LONG)
    const answers = ['a1', 'a2', 'a3', 'b1', 'b2'].map(work)
    assert.deepEqual(begun, ['a1', 'b1'])
    assert.deepEqual(await Promise.all(answers), ['a1', 'a2', 'a3', 'b1', 'b2'])
    const of = (caller: string) => begun.filter((name) => name.startsWith(caller))
    assert.deepEqual(
      [of('a'), of('b')],
      [
        ['a1', 'a2', 'a3'],
        ['b1', 'b2'],
      ],
    )
  })

  it('queue later work of a caller behind what waits', async () => {
    const { start, begun, work } = startsOf(0)
    const first = start('a', () => block(LONG))
    const others = ['a1', 'a2', 'a3'].map(work)
    assert.deepEqual(begun, [])
    await first
    others.push(work('a4'))
    await Promise.all(others)
    assert.deepEqual(begun, ['a1', 'a2', 'a3', 'a4'])
  })

  it('drop what waits as soon as nobody waits for it any more', async () => {
    const { begun, work, start } = startsOf(LONG)
    const leaving = aClosable()
    const answers = ['a1', 'a2'].map(work)
    const left = start('a', () => begun.push('left'), leaving)
    const last = work('a3')
    leaving.close()
    await assert.rejects(left, CALLER_LEFT)
    await assert.rejects(
      start('a', () => begun.push('had left'), leaving),
      CALLER_LEFT,
    )
    await Promise.all([...answers, last])
    assert.deepEqual(begun, ['a1', 'a2', 'a3'])
  })

  it('settle as the work does, now or later', async () => {
    const start = createFairStarts()
    const fail = () => {
      block(LONG)
      throw new Error('failed')
    }
    const outcomes = await Promise.allSettled([start('a', fail), start('a', fail), start('a', async () => fail())])
    assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], ['rejected'])
    await nextTurn()
    assert.equal(await start('a', () => 1), 1)
  })
})
