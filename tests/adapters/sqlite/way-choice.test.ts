import assert from 'node:assert/strict'
import type { Slice } from '../../../shared/adapters/sqlite/lists/slices.ts'
import { createWayChoice } from '../../../shared/adapters/sqlite/lists/way-choice.ts'
import type { Way } from '../../../shared/adapters/sqlite/lists/ways.ts'

const ROWS_PER_ENTRY = 1_000
/** Processor time is counted in steps of so many milliseconds. */
const STEP = 4

/** What a way takes, in milliseconds. */
interface Cost {
  readonly opening: number
  readonly perEntry: number
}

describe('The choice between two ways through a list', () => {
  for (const [cheaper, index, texts] of [
    ['the first way', { opening: 8, perEntry: 0.25 }, { opening: 2, perEntry: 0.4 }],
    ['the second way', { opening: 2, perEntry: 0.4 }, { opening: 8, perEntry: 0.25 }],
  ] as const) {
    it(`comes to ${cheaper} when it is the cheaper one, whatever its opening took`, () => {
      assert.equal(chosenAfter(40, index, texts), cheaper)
    })
  }

  it('is not misled by waiting for a processor', () => {
    const waits = (slice: number): number => (slice < 20 && slice % 3 === 0 ? 100 : 0)
    assert.equal(chosenAfter(60, { opening: 8, perEntry: 0.25 }, { opening: 2, perEntry: 0.8 }, waits), 'the first way')
  })
})

/** Goes through so many slices, each followed by a wait, and answers the way that is taken then. */
function chosenAfter(slices: number, first: Cost, second: Cost, waits: (slice: number) => number = () => 0): string {
  const ways = [aWay(), aWay()] as const
  const opened = new Set<Way>()
  const choice = createWayChoice(ways)
  let worked = 0
  for (let number = 0; number < slices; number++) {
    const { way, span } = choice.next()
    const cost = way === ways[0] ? first : second
    const work = span * cost.perEntry + (opened.has(way) ? 0 : cost.opening)
    opened.add(way)
    const processor = stepsIn(worked + work) - stepsIn(worked)
    worked += work
    choice.learn(aSlice(span), 0, { elapsed: work + waits(number), processor })
  }
  return choice.next().way === ways[0] ? 'the first way' : 'the second way'
}

const stepsIn = (milliseconds: number): number => Math.floor(milliseconds / STEP) * STEP

const aWay = (): Way => ({
  matches: { from: '', key: '', where: '', values: [], isBySearchIndex: false },
  count: () => 0,
  longestSpan: 1_000,
  isPacked: false,
})

const aSlice = (span: number): Slice => ({ lower: 0n, upper: 0n, entries: [], rows: span * ROWS_PER_ENTRY, changes: 0 })
