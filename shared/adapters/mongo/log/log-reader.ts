import type { Collection, Filter } from 'mongodb'
import { type AuthoredEvent, BEGINNING, type Position, type StreamName } from '../../../event-sourcing/event.ts'
import type { LogRange, StreamRange } from '../../../event-sourcing/ports/event-store.ts'
import { type LogScan, MAX_SCANNED, type Scanned } from '../../../event-sourcing/ports/log-scan.ts'
import {
  type CommitDocument,
  LOG_FIELDS,
  lastPosition,
  STREAM_INDEX,
  streamKey,
  streamsOf,
  toLogEvents,
  toRecordedEvents,
  versionAfter,
} from './commit-document.ts'
import { findCommitsAfter } from './commits-after.ts'

/** All reads are majority reads: nothing read here can be rolled back by a change of primary. */
export type LogReader = ReturnType<typeof createLogReader>

/** Reads a log; throws the driver's errors. */
export function createLogReader(log: Collection<CommitDocument>) {
  async function head(): Promise<Position> {
    const last = await log.findOne({}, { sort: { _id: -1 }, projection: { 'events.version': 1 } })
    return last === null ? BEGINNING : lastPosition(last)
  }

  return {
    head,

    scan: (scan: LogScan) => scanLog(log, scan, head),

    async readStream(stream: StreamName, range: StreamRange = {}) {
      const { afterVersion = 0, upToVersion = Number.MAX_SAFE_INTEGER } = range
      const version = { $gt: afterVersion, $lte: upToVersion }
      const documents = await log
        .find(
          { stream: streamKey(stream), events: { $elemMatch: { version } } },
          { hint: STREAM_INDEX, allowDiskUse: true },
        )
        .sort({ _id: 1 })
        .toArray()
      return documents
        .flatMap(toRecordedEvents)
        .filter(({ version }) => version > afterVersion && version <= upToVersion)
    },

    async readAll(after: Position, limit: number) {
      const { commits } = await findCommitsAfter(log, { after, limit, fields: LOG_FIELDS })
      const events = commits.flatMap(toLogEvents)
      const startsInsideCommit = after > BEGINNING && commits[0]?._id !== after + 1
      const rest = startsInsideCommit ? await restOfCommit(log, after) : []
      return [...rest, ...events].slice(0, limit)
    },

    /** The commits with these ids, as far as they are in the log. */
    findCommits: (commitIds: readonly string[]) => log.find({ commitId: { $in: [...commitIds] } }).toArray(),

    /** Counts events in a range, in commits that begin within its first MAX_SCANNED positions. */
    async countIn(categories: readonly string[], { after, upTo }: LogRange) {
      const streams = categories.map((category) => ({ stream: streamsOf(category) }))
      const $match = { _id: { $gt: after, $lte: Math.min(after + MAX_SCANNED, upTo) }, $or: streams }
      const inRange = { $min: [{ $size: '$events' }, { $subtract: [upTo + 1, '$_id'] }] }
      const $group = { _id: null, count: { $sum: inRange } }
      const [found] = await log.aggregate<{ count: number }>([{ $match }, { $group }], { hint: '_id_' }).toArray()
      return found?.count ?? 0
    },

    /** The version of a stream's last event, 0 when there is no such stream. */
    async streamHead(stream: StreamName) {
      const last = await log.findOne(
        { stream: streamKey(stream) },
        { sort: { 'events.version': -1 }, hint: STREAM_INDEX, projection: { 'events.version': 1 } },
      )
      return last === null ? 0 : versionAfter(last)
    },
  }
}

async function restOfCommit(log: Collection<CommitDocument>, after: Position): Promise<AuthoredEvent[]> {
  const document = await log.findOne({ _id: { $lte: after } }, { sort: { _id: -1 } })
  return document === null ? [] : toLogEvents(document).filter(({ position }) => position > after)
}

/** Finds events up to the log's head, which is read first, so that nothing written meanwhile is skipped. */
async function scanLog(
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
