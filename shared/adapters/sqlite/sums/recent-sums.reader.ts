import { LRUCache } from 'lru-cache'
import { addUp, type Groups, type SumsSpec } from './add-up.reader.ts'
import type { OpenLedger } from './ledger-tables.ts'

/** A cache of recently computed sums. */
export type RecentSums = LRUCache<string, Groups>

/** How many groups are cached; each takes about 250 bytes. */
const MAX_GROUPS = 100_000

export const createRecentSums = (): RecentSums =>
  new LRUCache({ max: 100, maxSize: MAX_GROUPS, sizeCalculation: (groups) => 1 + groups.size })

/** The sums at a moment: cached, unless a version was written since that may count. */
export function sumsAt(
  ledger: OpenLedger,
  { where, from, to, rounded, groupBy }: SumsSpec,
  asOf: number,
  recent: RecentSums,
): Groups {
  const spec = { where, from, to, rounded, groupBy }
  const cacheKey = JSON.stringify([ledger.tables.versions, spec, momentIn(ledger, asOf)])
  const groups = recent.get(cacheKey) ?? addUp(ledger, spec, asOf)
  recent.set(cacheKey, groups)
  return groups
}

/**
 * Identifies the versions that hold at a moment. Before the latest time, only late ones can still be added; from it on,
 * also further ones with that time, or later ones.
 */
function momentIn({ statements, tables }: OpenLedger, asOf: number): readonly unknown[] {
  const { versions, byTime, late: lateOnes } = tables
  const sql = `SELECT max(at) AS latest, count(*) AS count, (SELECT max(number) FROM ${lateOnes}) AS late
    FROM ${versions} INDEXED BY ${byTime} WHERE at = (SELECT max(at) FROM ${versions})`
  const { latest, count, late } = statements.of<Readonly<Record<string, number>>>(sql).get() ?? {}
  return asOf < Number(latest) ? [asOf, late] : [latest, count, late]
}
