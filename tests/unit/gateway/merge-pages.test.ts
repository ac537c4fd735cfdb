import assert from 'node:assert/strict'
import { mergePages, type PageOfPart } from '../../../gateway/events/merge-pages.ts'
import type { Event } from '../../../shared/gen/mint/events/v1/events.ts'

/** A page of a log's events at these times, read from its beginning. */
const pageOf = (part: PageOfPart['part'], times: readonly number[], { more = false } = {}): PageOfPart => {
  const events = times.map(
    (time, index) => ({ id: `${part} ${index + 1}`, time, cursor: `after ${index + 1}` }) as Event,
  )
  return { part, after: 'at the beginning', page: { events, next: 'at the end', more } }
}

function merged(limit: number, ...pages: readonly PageOfPart[]) {
  const { events, ...rest } = mergePages(pages, limit)
  return { ids: events.map(({ id }) => id), ...rest }
}

describe('The pages of two logs', () => {
  it('are merged by time, and each log keeps its order even if its clock went back', () => {
    assert.deepEqual(merged(10, pageOf('contracts', [1, 5, 2, 7]), pageOf('businesses', [3, 6])), {
      ids: ['contracts 1', 'businesses 1', 'contracts 2', 'contracts 3', 'businesses 2', 'contracts 4'],
      next: { contracts: 'at the end', businesses: 'at the end' },
      more: false,
    })
  })

  it('end where one of them has more, as its next event may be earlier than the rest of the other', () => {
    assert.deepEqual(merged(10, pageOf('contracts', [1, 5], { more: true }), pageOf('businesses', [3, 5, 6])), {
      ids: ['contracts 1', 'businesses 1', 'contracts 2', 'businesses 2'],
      next: { contracts: 'at the end', businesses: 'after 2' },
      more: true,
    })
  })

  it('resume after the last event taken from each: none is skipped, and none is repeated', () => {
    assert.deepEqual(merged(2, pageOf('contracts', [1, 2, 3]), pageOf('businesses', [9])), {
      ids: ['contracts 1', 'contracts 2'],
      next: { contracts: 'after 2', businesses: 'at the beginning' },
      more: true,
    })
  })
})
