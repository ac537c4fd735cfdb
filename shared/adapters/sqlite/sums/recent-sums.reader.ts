import { LRUCache } from 'lru-cache'
import { addParts, addUp, type Groups, type SumsSpec, sumsOf } from './add-up.reader.ts'
import { latestIn, type OpenLedger } from './ledger-tables.ts'

/** A cache of recently computed sums. */
export type RecentSums = LRUCache<string, CachedSums>

interface CachedSums {
  /** The spec and its ledger, as JSON. */
  readonly specKey: string
  /** Versions written since begin after it, except those that are late. */
  readonly moment: number
  /** How many late versions there were. */
  readonly late: number
  readonly groups: Groups
}

/** How many groups are cached; each takes about 250 bytes. */
const MAX_GROUPS = 100_000
/** With more versions in between, everything is added up again; this many take some milliseconds. */
const MAX_VERSIONS = 4_096

export const createRecentSums = (): RecentSums =>
  new LRUCache({ max: 100, maxSize: MAX_GROUPS, sizeCalculation: ({ groups }) => 1 + groups.size })

/**
 * The sums at a moment: the cached ones of the nearest moment, plus what changed in between. If there are none, or too
 * much changed, everything is added up.
 *
 * Cached sums must be of an earlier snapshot of the ledger.
 */
export function sumsAt(
  ledger: OpenLedger,
  { where, from, to, rounded, groupBy }: SumsSpec,
  asOf: number,
  recent: RecentSums,
): Groups {
  const spec = { where, from, to, rounded, groupBy }
  const { statements, tables } = ledger
  const specKey = JSON.stringify([tables.versions, spec])
  const latest = latestIn(statements, tables)
  const late = Number(statements.of(`SELECT ifnull(max(number), 0) AS number FROM ${tables.late}`).get()?.number)
  // Before the latest time: further versions with that time may come, which aren't late.
  const moment = Math.min(asOf, latest - 1)
  const found = nearest(recent, specKey, moment)
  const moved = found && movedTo(ledger, spec, found, { moment, late })
  if (found && moved) recent.delete(cacheKeyOf(found))
  const groups = moved ?? addUp(ledger, spec, moment)
  const cached = { specKey, moment, late, groups }
  recent.set(cacheKeyOf(cached), cached)
  return movedTo(ledger, spec, cached, { moment: asOf, late }) ?? addUp(ledger, spec, asOf)
}

const cacheKeyOf = ({ specKey, moment }: CachedSums): string => `${moment} ${specKey}`

function nearest(recent: RecentSums, specKey: string, moment: number): CachedSums | undefined {
  const distance = (cached: CachedSums): number => Math.abs(cached.moment - moment)
  const same = [...recent.values()].filter((cached) => cached.specKey === specKey)
  return same.sort((one, other) => distance(one) - distance(other))[0]
}

/**
 * The sums at another moment, from the versions that begin in between and those that came late: each one now counts,
 * and the one before it no longer does. undefined if there are too many.
 */
function movedTo(
  ledger: OpenLedger,
  spec: SumsSpec,
  { groups, moment, late }: CachedSums,
  to: { readonly moment: number; readonly late: number },
): Groups | undefined {
  if (moment === to.moment && late === to.late) return groups
  const { versions, late: lateOnes, byTime } = ledger.tables
  const [earlier, later] = [Math.min(moment, to.moment), Math.max(moment, to.moment)]
  const begun = `
    SELECT id, version, ${Math.sign(to.moment - moment)} AS weight FROM ${versions} INDEXED BY ${byTime}
    WHERE at > ? AND at <= ?
    UNION ALL SELECT id, version, 1 FROM ${lateOnes} WHERE number > ? AND at <= ? LIMIT ${MAX_VERSIONS + 1}`
  const values = [earlier, later, late, moment]
  const count = ledger.statements.of(`SELECT count(*) AS count FROM (${begun})`).get(...values)?.count
  if (Number(count) === 0) return groups
  if (Number(count) > MAX_VERSIONS) return undefined
  // The one before may be several versions earlier: a commit of several events writes only their last version.
  const before = `SELECT max(version) FROM ${versions} WHERE id = begun.id AND version < begun.version`
  const sql = `FROM (
    SELECT counted.*, CASE counted.version WHEN begun.version THEN weight ELSE -weight END AS sign
    FROM (${begun}) AS begun CROSS JOIN ${versions} AS counted
      ON counted.id = begun.id AND counted.version BETWEEN ifnull((${before}), begun.version) AND begun.version
  ) WHERE 1`
  const moved = new Map(groups)
  addParts(moved, sumsOf(ledger, spec, { sql, values }, true))
  return moved
}
