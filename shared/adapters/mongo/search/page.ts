import type { Segment } from './manifest.ts'
import type { Matches } from './matches.ts'
import { newestFirst, type Place } from './place.ts'

/** A segment's rows that match, oldest first. */
export interface SegmentMatches {
  readonly segment: Segment
  readonly rows: Matches
}

export interface PageParts {
  readonly matches: readonly SegmentMatches[]
  /** Matches that are in no segment. */
  readonly loose: readonly Place[]
  readonly offset: number
  readonly limit: number
  /** Answers the places of some of a segment's rows. */
  load(segment: Segment, rows: Matches): Promise<readonly Place[]>
}

/** The ids of one page of all matches, newest first; only places that may be on it are loaded. */
export async function pageOf({ matches, loose, offset, limit, load }: PageParts): Promise<string[]> {
  const ids: string[] = []
  let toSkip = offset
  let older = loose
  for (const group of overlapping(matches)) {
    const oldest = Math.min(...group.map(({ segment }) => segment.oldest))
    const among = older.filter(({ createdAt }) => createdAt >= oldest)
    older = older.filter(({ createdAt }) => createdAt < oldest)
    const size = among.length + group.reduce((sum, { rows }) => sum + rows.length, 0)
    if (toSkip >= size) {
      toSkip -= size
      continue
    }
    ids.push(...(await pageOfGroup(group, among, { offset: toSkip, limit: limit - ids.length, load })))
    if (ids.length === limit) return ids
    toSkip = 0
  }
  const rest = older.toSorted(newestFirst).slice(toSkip, toSkip + limit - ids.length)
  return [...ids, ...rest.map(({ _id }) => _id)]
}

/** Segments whose times overlap, together, the newest first: all that is in a group is newer than all in the next. */
function overlapping(matches: readonly SegmentMatches[]): SegmentMatches[][] {
  const groups: SegmentMatches[][] = []
  let oldest = Number.POSITIVE_INFINITY
  for (const one of matches.toSorted((a, b) => b.segment.newest - a.segment.newest)) {
    const group = groups.at(-1)
    const overlaps = one.segment.newest >= oldest
    oldest = overlaps ? Math.min(oldest, one.segment.oldest) : one.segment.oldest
    if (group !== undefined && overlaps) group.push(one)
    else groups.push([one])
  }
  return groups
}

async function pageOfGroup(
  group: readonly SegmentMatches[],
  loose: readonly Place[],
  { offset, limit, load }: Pick<PageParts, 'offset' | 'limit' | 'load'>,
): Promise<string[]> {
  // Of a lone segment, what comes in front of the page need not be loaded: others only push it further back.
  const passed = group.length === 1 ? Math.max(0, offset - loose.length) : 0
  const end = offset + limit
  let places = loose.toSorted(newestFirst)
  for (const { segment, rows } of group) {
    const last = places[end - passed - 1]
    if (last !== undefined && last.createdAt > segment.newest) break
    const candidates = rows.subarray(Math.max(0, rows.length - end), rows.length - passed)
    places = [...places, ...(await load(segment, candidates))].sort(newestFirst)
  }
  return places.slice(offset - passed, end - passed).map(({ _id }) => _id)
}
