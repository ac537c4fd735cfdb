import assert from 'node:assert/strict'
import type { LogEvent, Position, Timed } from '../../../shared/event-sourcing/event.ts'
import { createEventReader, foldWith, UnknownEventType } from '../../../shared/event-sourcing/upcasting.ts'

/** A made-up aggregate whose events have had two older shapes. */
interface Named {
  readonly type: 'Named.v3'
  readonly data: { readonly first: string; readonly last: string; readonly title: string }
}

const read = createEventReader<Named>(
  { 'Named.v3': true },
  {
    'Named.v1': (data) => {
      const [first = '', last = ''] = (data as { name: string }).name.split(' ')
      return { type: 'Named.v2', data: { first, last } }
    },
    'Named.v2': (data) => ({ type: 'Named.v3', data: { ...data, title: '' } }),
  },
)

const recorded = (type: string, data: object): LogEvent => ({
  position: 1 as Position,
  stream: { category: 'person', id: '7' },
  version: 1,
  type,
  data,
  at: 5,
})

describe('Reading events from the log', () => {
  it('upcasts an old shape to the current one, step by step', () => {
    const today = { type: 'Named.v3', data: { first: 'Ada', last: 'Lovelace', title: '' }, at: 5 }
    assert.deepEqual(read(recorded('Named.v1', { name: 'Ada Lovelace' })), today)
    assert.deepEqual(read(recorded('Named.v2', { first: 'Ada', last: 'Lovelace' })), today)
  })

  it('leaves the current shape and the log unchanged', () => {
    const old = Object.freeze(recorded('Named.v1', Object.freeze({ name: 'Ada Lovelace' })))
    read(old)
    const now = recorded('Named.v3', { first: 'Ada', last: '', title: 'Countess' })
    assert.equal(read(now).data, now.data)
  })

  it('folds old and new shapes into one state', () => {
    const fold = foldWith(read, (names: string[] = [], { data, at }: Timed<Named>) => [...names, `${data.first} ${at}`])
    const log = [recorded('Named.v1', { name: 'Ada L' }), recorded('Named.v3', { first: 'Eve', last: '', title: '' })]
    assert.deepEqual(log.reduce<string[] | undefined>(fold, undefined), ['Ada 5', 'Eve 5'])
  })

  for (const type of ['Named.v4', 'Renamed.v1', 'constructor', '__proto__']) {
    it(`names an event of an unknown type, and says what to do: ${type}`, () => {
      assert.throws(
        () => read(recorded(type, {})),
        (error) =>
          error instanceof UnknownEventType &&
          error.message.startsWith(`Event 1 of person 7 has the unknown type ${type}.`),
      )
    })
  }
})
