import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Segment } from '../../../shared/adapters/mongo/search/manifest.ts'
import { pageOf, type SegmentMatches } from '../../../shared/adapters/mongo/search/page.ts'
import { newestFirst, type Place } from '../../../shared/adapters/mongo/search/place.ts'

/** Times that often meet: segments that overlap, and some that don't. */
const times = fc.array(fc.nat(30), { maxLength: 12 })
const segment = fc.record({ times, from: fc.constantFrom(0, 20, 100, 200) })

describe('a page of the search index', () => {
  it('is what a list of all matches has there, however segments overlap', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { maxLength: 5 }),
        times,
        fc.nat(40),
        fc.nat(10),
        async (segments, looseTimes, offset, limit) => {
          let order = 0
          const placeAt = (createdAt: number): Place => ({ _id: `${++order}`, createdAt, order })
          const places = segments.map((one) => one.times.map((time) => placeAt(one.from + time)).sort(oldestFirst))
          const loose = looseTimes.map((time) => placeAt(time * 9))
          const matches = places.map((rows, index) => toMatches(`${index}`, rows))
          const load = async ({ id }: Segment, rows: Uint32Array): Promise<Place[]> =>
            Array.from(rows, (row) => places[Number(id)]?.[row]).filter((place) => place !== undefined)
          const expected = [...places.flat(), ...loose].sort(newestFirst).slice(offset, offset + limit)
          assert.deepEqual(
            await pageOf({ matches, loose, offset, limit, load }),
            expected.map(({ _id }) => _id),
          )
        },
      ),
      { numRuns: 1000 },
    )
  })
})

const oldestFirst = (one: Place, other: Place): number => newestFirst(other, one)

function toMatches(id: string, places: readonly Place[]): SegmentMatches {
  const [oldest, newest] = [places[0]?.createdAt ?? 0, places.at(-1)?.createdAt ?? 0]
  return { segment: { id, size: places.length, oldest, newest, firstGrams: '' }, rows: Uint32Array.from(places.keys()) }
}
