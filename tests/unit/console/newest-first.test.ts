import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type FeedSpan, newestFirst } from '../../../console/changes/newest-first.ts'
import { forAllAsync } from '../../support/for-all.ts'

interface FeedEvent {
  readonly position: number
  readonly time: string
}

/** A feed of events at these times, with at most `length` per page. Some pages are empty, as when a search takes long. */
function feedOf(times: readonly number[], length: number) {
  const events = times.map((time, index): FeedEvent => ({ position: index + 1, time: new Date(time).toISOString() }))
  let reads = 0
  return {
    events,
    reads: () => reads,
    async read({ after = '0', since, until }: FeedSpan) {
      const isEmpty = reads++ % 3 === 2
      const left = events.filter(({ position, time }) => {
        const at = Date.parse(time)
        return position > Number(after) && at >= since && at <= until
      })
      const page = isEmpty ? [] : left.slice(0, length)
      const more = left.length > page.length
      return { events: page, next: String(page.at(-1)?.position ?? after), more }
    },
  }
}

async function collect(pages: AsyncIterable<readonly FeedEvent[]>): Promise<readonly FeedEvent[]> {
  const all: FeedEvent[] = []
  for await (const page of pages) all.push(...page)
  return all
}

describe('The changes of the console', () => {
  const times = fc.array(fc.nat({ max: 5_000 }), { maxLength: 60 })

  it('are all that the feed has up to a time, newest first, each once', async () => {
    await forAllAsync([times, fc.integer({ min: 1, max: 7 }), fc.nat(5_000)], async (given, length, until) => {
      const { events, read } = feedOf(
        given.toSorted((one, other) => one - other),
        length,
      )
      const fitting = events.filter(({ time }) => Date.parse(time) <= until)
      assert.deepEqual(await collect(newestFirst(read, { since: 0, until })), fitting.toReversed())
    })
  })

  it('are each found once, even where the clock of a process was wrong', async () => {
    await forAllAsync([times, fc.integer({ min: 1, max: 7 })], async (given, length) => {
      const { events, read } = feedOf(given, length)
      const found = await collect(newestFirst(read, { since: 0, until: 5_000 }))
      assert.deepEqual(
        found.toSorted((one, other) => one.position - other.position),
        events,
      )
    })
  })

  it('begin with the newest of many after only a few requests', async () => {
    const { events, read, reads } = feedOf(
      Array.from({ length: 10_000 }, (_, index) => index * 60_000),
      100,
    )
    const newest = newestFirst(read, { since: 0, until: 600_000_000 })
    const { value } = await newest.next()
    assert.deepEqual(value?.[0], events.at(-1))
    assert.ok(reads() <= 25, `${reads()} requests`)
  })
})
