import assert from 'node:assert/strict'
import { differences, unexpectedAnswers } from './checks/answers.ts'
import { violationsOfClosedDates } from './checks/closed-dates.ts'
import { violationsAtEnd } from './checks/end-state.ts'
import { violationsOfFeed } from './checks/feed.ts'
import { violationsOfLists } from './checks/lists.ts'
import { violationsOfNames } from './checks/names.ts'
import { violationsOfReports } from './checks/reports.ts'
import { type Entry, historyOf } from './history.ts'
import type { FeedEvent } from './history-at-end.ts'
import {
  aClosing,
  aCreate,
  aGetOfClosing,
  aList,
  anEdit,
  anEnd,
  aRecordHistory,
  aReport,
  aRow,
  closingsAtEnd,
  sumsOf,
  versioned,
} from './made-up-history.ts'

describe('The check of closed dates of the torture test', () => {
  const check = (...entries: Entry[]): string[] => violationsOfClosedDates(historyOf(entries))
  const closed = aClosing({ at: [20, 30], through: '2024-01-31', version: 1 })
  const opened = aClosing({ at: [60, 70], through: null, version: 2 })
  const sets = [closed, opened, closingsAtEnd(closed, opened)]
  const dated = (at: [number, number]) => aCreate({ at, serviceDate: '2024-01-15' })

  it('rejects a write that succeeded although its date was closed during the whole call', () => {
    for (const at of [
      [0, 10],
      [25, 35],
      [40, 61],
      [71, 72],
    ] as [number, number][]) {
      assert.deepEqual(check(...sets, dated(at)), [])
    }
    assert.match(check(...sets, dated([31, 59])).join(), /contract m1 was done .* when 2024-01-15 was closed/)
    const seen = aGetOfClosing({ at: [22, 24], through: '2024-01-31', version: 1 })
    assert.match(check(...sets, seen, dated([25, 35])).join(), /was done/, 'it was seen to be closed')
  })

  it('rejects an edit of a contract that is dated in a closed month, or would be afterwards', () => {
    const out = anEdit({ at: [40, 50], notes: 'b', version: 2, serviceDate: '2024-02-15' })
    const record = versioned(aRow({ serviceDate: '2024-02-15' }), 2)
    const events = { ...aRecordHistory({ at: [90, 91], record, edits: [out.changes] }) }
    const [created, edited] = events.events
    const before = {
      ...events,
      events: [{ version: 1, data: { ...created?.data, serviceDate: '2024-01-15' } }, edited],
    }
    assert.deepEqual(check(...sets, out, events), [])
    assert.match(check(...sets, out, before as typeof events).join(), /the edit .* was done/)
    const into = anEdit({ at: [40, 50], notes: 'b', version: 2, serviceDate: '2024-01-15' })
    assert.match(check(...sets, into, events).join(), /the edit .* was done/)
  })

  it('rejects a refusal as closed while everything was open', () => {
    const refused = { ...dated([31, 59]), outcome: 'failed', refusal: 'period_closed' } as const
    assert.deepEqual(check(...sets, refused), [])
    assert.match(check(...sets, { ...refused, call: 71, return: 80 }).join(), /was refused .* when 2024-01-15 was open/)
  })
})

describe('The checks of reports and names of the torture test', () => {
  const check = (...entries: Entry[]): string[] => violationsOfReports(historyOf(entries))
  const first = aReport({ at: [10, 20], count: 1 })

  it('rejects a final report that changes later', () => {
    const other = aReport({ at: [30, 40], count: 2 })
    assert.deepEqual(check(first, { ...first, call: 30, return: 40 }), [])
    assert.match(check(first, other).join(), /had .*"count":1.* and from 30.000 ms on .*"count":2/)
    assert.deepEqual(check({ ...first, isFinal: false }, other), [])
  })

  it('rejects a current report that lacks an earlier acknowledged write', () => {
    const create = aCreate({ at: [0, 10] })
    assert.deepEqual(check(create, aReport({ at: [11, 12], count: 1, isOfNow: true })), [])
    assert.match(check(create, aReport({ at: [11, 12], count: 0, isOfNow: true })).join(), /total of 0, .* from 1 to 1/)
  })

  it('rejects changes that are not the difference between the two reports', () => {
    const { query: _, asOf: _asOf, isOfNow: _isOfNow, rows: _rows, sums: _sums, ...times } = first
    const difference = { ...sumsOf(0), count: 2, serviceFee: '2' }
    const right = { ...times, type: 'changes', since: sumsOf(1), until: sumsOf(3), difference } as const
    assert.deepEqual(check(right), [])
    assert.match(check({ ...right, until: sumsOf(4) }).join(), /the changes from/)
  })

  it('rejects a name that the business did not have at that time', () => {
    const names = [
      { at: 1_000, name: 'a' },
      { at: 2_000, name: 'b' },
    ]
    const shown = (asOf: number, name: string | null) =>
      violationsOfNames(historyOf([{ type: 'client-names', clientId: 'k', names, shown: [{ asOf, name }] }]))
    assert.deepEqual([...shown(1_999, 'a'), ...shown(2_000, 'b'), ...shown(999, null)], [])
    assert.match(shown(2_000, 'a').join(), /client k is named a as of 1970-01-01T00:00:02.000Z, and .* was b/)
    assert.equal(shown(1_000, null).length, 1)
  })
})

describe('The check of lists of the torture test', () => {
  const check = (...entries: Entry[]): string[] => violationsOfLists(historyOf(entries))
  const first = aCreate({ at: [0, 10] })
  const second = aCreate({ at: [20, 30], id: 2, name: 'm2' })
  const rows = [aRow({ id: 2, name: 'm2' }), aRow()]

  it('accepts lists with or without a create in progress, but with every acknowledged one', () => {
    assert.deepEqual(check(first, second, aList({ at: [21, 22], rows: [aRow()] })), [])
    assert.deepEqual(check(first, second, aList({ at: [21, 22], rows })), [])
    assert.deepEqual(check(first, second, aList({ at: [31, 32], rows })), [])
  })

  it('rejects a list that lacks an acknowledged create, or has a wrong total', () => {
    assert.match(check(first, second, aList({ at: [31, 32], rows: [aRow()] })).join(), /total of 1.*lacks contract 2/)
    assert.match(check(first, aList({ at: [31, 32], rows: [aRow()], total: 2 })).join(), /rows of 2.*total of 2/)
  })

  it('rejects a search that lacks an acknowledged create', () => {
    const audit = aCreate({ at: [20, 30], id: 2, name: 'm2 audit' })
    assert.match(check(first, audit, aList({ at: [31, 32], rows: [], search: 'audit' })).join(), /lacks contract 2/)
    assert.deepEqual(check(first, audit, aList({ at: [19, 32], rows: [], search: 'audit' })), [])
  })

  it('rejects a gap in a page even if the total is right', () => {
    const creates = Array.from({ length: 12 }, (_, index) =>
      aCreate({ at: [index, index + 1], id: index + 1, name: `m${index}` }),
    )
    const newestFirst = creates.map(({ asked }, index) => aRow({ id: index + 1, name: asked.serviceName })).reverse()
    const page = newestFirst.slice(0, 10)
    const withGap = newestFirst.filter(({ id }) => id !== 7).slice(0, 10)
    assert.deepEqual(check(...creates, aList({ at: [20, 21], rows: page, total: 12 })), [])
    assert.match(check(...creates, aList({ at: [20, 21], rows: withGap, total: 12 })).join(), /lacks contract 7/)
  })

  it('rejects a total that falls, even if the second create may never have taken effect', () => {
    const unknown = { ...second, outcome: 'unknown' } as const
    const found = check(first, unknown, aList({ at: [41, 42], rows }), aList({ at: [43, 44], rows: [aRow()] }))
    assert.match(found.join(), /total of 1 after one of 2/)
  })

  it('rejects rows out of order, and duplicate rows', () => {
    assert.match(check(first, second, aList({ at: [31, 32], rows: rows.toReversed() })).join(), /out of order/)
    assert.match(check(first, second, aList({ at: [31, 32], rows: [aRow(), aRow()] })).join(), /twice/)
  })
})

describe('The check of the feed of the torture test', () => {
  const check = (events: readonly FeedEvent[], followed = events): string[] => {
    const edited = versioned(aRow({ notes: 'b' }), 2)
    const whole = aRecordHistory({ at: [90, 91], record: edited, edits: [{ notes: 'b' }] })
    return violationsOfFeed(historyOf([anEnd([aRow({ notes: 'b' })]), whole, { type: 'feed', events, followed }]))
  }
  const ofContract = { source: 'mint/contracts', kind: 'contract', subject: '1' }
  const created = { ...ofContract, position: 1, version: 1 }
  const edited = { ...ofContract, position: 3, version: 2 }

  it('accepts the union of all histories', () => {
    assert.deepEqual(check([created, edited]), [])
  })

  it('rejects events that are lost, duplicated, out of order, or of unknown records', () => {
    assert.match(check([created]).join(), /has 1 events of contract 1, its history 2/)
    assert.match(check([]).join(), /contract 1 is missing/)
    assert.match(check([created, edited, edited]).join(), /has gaps|have gaps/)
    assert.match(check([{ ...created, position: 4 }, edited]).join(), /not in the order of its log/)
    assert.match(
      check([created, edited, { ...created, subject: '2', position: 4 }]).join(),
      /contract 2 is in the feed only/,
    )
    assert.match(check([created, edited], [created]).join(), /who followed mint\/contracts got other events/)
  })
})

describe('The check of the end state of the torture test', () => {
  const check = (...entries: Entry[]): string[] => violationsAtEnd(historyOf(entries))
  const first = aCreate({ at: [0, 10] })

  it('accepts acknowledged creates, and those of unknown outcome once or not at all', () => {
    const unknown = { ...aCreate({ at: [20, 30], id: 2, name: 'm2' }), outcome: 'unknown' } as const
    assert.deepEqual(check(first, unknown, anEnd([aRow()])), [])
    assert.deepEqual(check(first, unknown, anEnd([aRow({ id: 2, name: 'm2' }), aRow()])), [])
  })

  it('rejects a create that is lost, duplicated, carried out although refused, or never requested', () => {
    assert.match(check(first, anEnd([])).join(), /is lost/)
    assert.match(check(first, anEnd([aRow({ id: 2 }), aRow()])).join(), /there 2 times/)
    assert.match(check({ ...first, outcome: 'failed' }, anEnd([aRow()])).join(), /refused and is there/)
    assert.match(check(first, anEnd([aRow({ id: 2, name: 'm2' }), aRow()])).join(), /nobody asked/)
  })

  it('rejects a history that lacks an acknowledged edit, or contains a refused one', () => {
    const edit = anEdit({ at: [20, 30], notes: 'b', version: 2 })
    const edited = versioned(aRow({ notes: 'b' }), 2)
    const whole = aRecordHistory({ at: [90, 91], record: edited, edits: [{ notes: 'b' }] })
    const end = anEnd([aRow({ notes: 'b' })])
    assert.deepEqual(check(first, edit, end, whole), [])
    assert.match(check(first, edit, end, { ...whole, events: whole.events.slice(0, 1) }).join(), /come to.*is lost/)
    assert.match(check(first, { ...edit, outcome: 'failed' }, end, whole).join(), /refused and was made/)
  })

  it('accepts a refused request that a retry carried out, and rejects it if no retry did', () => {
    const refused = { ...first, outcome: 'failed', refusal: 'period_closed' } as const
    const again = { ...first, call: 20, return: 30 }
    assert.deepEqual(check(refused, again, anEnd([aRow()])), [])
    assert.match(check(refused, { ...refused, call: 20, return: 30 }, anEnd([aRow()])).join(), /refused and is there/)
  })

  it('reports what mint verify found while Mint was running', () => {
    const command = {
      type: 'command',
      name: 'mint verify',
      call: 0,
      return: 1,
      gateway: -1,
      output: 'a difference',
    } as const
    assert.deepEqual(differences(historyOf([{ ...command, status: '3' }])), ['mint verify: a difference'])
    assert.deepEqual(differences(historyOf([{ ...command, status: '1' }])), [])
  })

  it('counts unexplained answers', () => {
    const failed = { ...first, outcome: 'failed', status: '500 internal_error' } as const
    assert.deepEqual(unexpectedAnswers(historyOf([first, failed])), ['1 × create: answered 500 internal_error'])
  })
})
