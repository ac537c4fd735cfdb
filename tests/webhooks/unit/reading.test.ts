import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FeedPage } from '../../../gateway/events/feed.ts'
import { readingInTurn } from '../../../gateway/webhooks/reading.ts'
import { madeUpFeed } from '../../support/made-up-feed.ts'

describe('Reading the feed for webhooks', () => {
  /** A feed whose pages have a million characters, and what is in memory of them. */
  function longPages() {
    const long = madeUpFeed().add('1', { data: 'x'.repeat(1_000_000) })
    const [counts, most] = [
      { reads: 0, unstored: 0 },
      { reads: 0, unstored: 0 },
    ]
    let all = 0
    async function readPage(): Promise<FeedPage> {
      all++
      counts.reads++
      counts.unstored++
      for (const name of ['reads', 'unstored'] as const) most[name] = Math.max(most[name], counts[name])
      await nextTurn()
      counts.reads--
      return { events: [long], next: '1', more: true }
    }
    async function store(): Promise<void> {
      await nextTurn()
      counts.unstored = 0
    }
    return { read: readingInTurn(readPage, store), most, all: () => all }
  }

  it('holds a few long pages in memory, although a hundred webhooks are at positions of their own', async () => {
    const { read, most } = longPages()
    await Promise.all(Array.from({ length: 100 }, (_, index) => read({ after: String(index) })))
    assert.ok(most.reads <= 4 && most.unstored <= 16, JSON.stringify(most))
  })

  it('reads a page once for all webhooks at the same position', async () => {
    const { read, all } = longPages()
    const pages = await Promise.all(Array.from({ length: 100 }, () => read({ after: '7' })))
    assert.deepEqual([all(), new Set(pages).size], [1, 1])
    await read({ after: '7' })
    assert.equal(all(), 2)
  })
})
