import type { Collection, Filter } from 'mongodb'
import type { AuthoredEvent, Position } from '../../../event-sourcing/event.ts'
import { type LogScan, MAX_SCANNED, type Scanned } from '../../../event-sourcing/ports/log-scan.ts'
import { type CommitDocument, LOG_FIELDS, lastPosition, streamsOf, toLogEvents } from './commit-document.ts'
import { findCommitsAfter } from './commits-after.ts'

/** Finds events up to the log's head, which is read first, so that nothing written meanwhile is skipped. */
export async function scanLog(
  log: Collection<CommitDocument>,
  scan: LogScan,
  readHead: () => Promise<Position>,
): Promise<Scanned> {
  const { after, limit, of } = scan
  const [head, first] = await Promise.all([
    readHead(),
    // The commit that contains `after` may have further events.
    log.findOne({ _id: { $lte: after + 1 } }, { sort: { _id: -1 }, projection: { _id: 1 } }),
  ])
  const end = Math.min(head, after + MAX_SCANNED) as Position
  if (end <= after) return { events: [], through: after, isLast: true }
  const from = ((first?._id ?? 1) - 1) as Position
  const range = { after: from, upTo: end, limit, fields: LOG_FIELDS, where: conditionsOf(scan) }
  const { commits, isLast } = await findCommitsAfter(log, range)
  const isSought = ({ stream, version }: AuthoredEvent): boolean =>
    of.some(({ category, which }) => {
      return category === stream.category && (which === 'all' || (which === 'first') === (version === 1))
    })
  const events = commits
    .flatMap(toLogEvents)
    .filter((event) => event.position > after && event.position <= end && isSought(event))
    .slice(0, limit)
  const lastRead = commits.at(-1)
  let through = isLast || lastRead === undefined ? end : (Math.min(lastPosition(lastRead), end) as Position)
  if (events.length === limit) through = events.at(-1)?.position ?? through
  return { events, through, isLast: through >= head }
}

/** Conditions on commits; their events are filtered after they are read. */
function conditionsOf({ of, by, since, until }: LogScan): Filter<CommitDocument> {
  const records = of.map(({ category, which }) => {
    return { stream: streamsOf(category), ...(which === 'first' && { 'events.version': 1 }) }
  })
  return {
    $or: records,
    ...(by !== undefined && { by }),
    at: { $gte: since ?? Number.MIN_SAFE_INTEGER, $lte: until ?? Number.MAX_SAFE_INTEGER },
  }
}
