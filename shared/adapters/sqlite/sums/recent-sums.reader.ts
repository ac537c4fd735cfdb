import { LRUCache } from 'lru-cache'
import { addParts, addUp, type Groups, type Question, sumsOf } from './add-up.reader.ts'
import { latestIn } from './ledger-tables.ts'
import type { OpenLedger } from './open-ledger.reader.ts'

/** The sums that were added up last. */
export type RecentSums = LRUCache<string, SumsThen>

interface SumsThen {
  readonly question: string
  /** Of the versions written later, only those that are late begin by then. */
  readonly moment: number
  /** How many late versions there were. */
  readonly late: number
  readonly groups: Groups
}

/** How many groups are stored, at most; each takes about 250 bytes. */
const MAX_GROUPS = 100_000
/** Above this many versions in between, everything is added up again; so many take some milliseconds. */
const MAX_VERSIONS = 4_096

export const createRecentSums = (): RecentSums =>
  new LRUCache({ max: 100, maxSize: MAX_GROUPS, sizeCalculation: ({ groups }) => 1 + groups.size })

/**
 * The sums at a moment: those at the nearest moment that were added up before, and what changed in between. Where there
 * are none, or too much changed, everything is added up, which yields after each slice.
 *
 * Start it when the ledger's snapshot is taken: whatever was added up before is of an earlier snapshot.
 */
export function* sumsAt(
  ledger: OpenLedger,
  { where, from, to, rounded, groupBy }: Question,
  asOf: number,
  recent: RecentSums,
): Generator<undefined, Groups> {
  const asked = { where, from, to, rounded, groupBy }
  const { statements, tables } = ledger
  const question = JSON.stringify([tables.versions, asked])
  const latest = latestIn(statements, tables)
  const late = Number(statements.of(`SELECT ifnull(max(number), 0) AS number FROM ${tables.late}`).get()?.number)
  // More versions with the latest time may come, and are not late.
  const moment = Math.min(asOf, latest - 1)
  const known = nearest(recent, question, moment)
  const moved = known && movedTo(ledger, asked, known, { moment, late })
  if (known && moved) recent.delete(nameOf(known))
  const groups = moved ?? (yield* addUp(ledger, asked, moment))
  const then = { question, moment, late, groups }
  recent.set(nameOf(then), then)
  return movedTo(ledger, asked, then, { moment: asOf, late }) ?? (yield* addUp(ledger, asked, asOf))
}

const nameOf = ({ question, moment }: SumsThen): string => `${moment} ${question}`

function nearest(recent: RecentSums, question: string, moment: number): SumsThen | undefined {
  const distance = (then: SumsThen): number => Math.abs(then.moment - moment)
  const same = [...recent.values()].filter((then) => then.question === question)
  return same.sort((one, other) => distance(one) - distance(other))[0]
}

/**
 * The sums at another moment, from the versions that begin in between and those that came late: each one counts, and the
 * one before it no longer does. undefined: they are too many.
 */
function movedTo(
  ledger: OpenLedger,
  question: Question,
  { groups, moment, late }: SumsThen,
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
  // The one before may be several versions below: a commit of several events writes only their last version.
  const before = `SELECT max(version) FROM ${versions} WHERE id = begun.id AND version < begun.version`
  const sql = `FROM (
    SELECT counted.*, CASE counted.version WHEN begun.version THEN weight ELSE -weight END AS sign
    FROM (${begun}) AS begun CROSS JOIN ${versions} AS counted
      ON counted.id = begun.id AND counted.version BETWEEN ifnull((${before}), begun.version) AND begun.version
  ) WHERE 1`
  const moved = new Map(groups)
  addParts(moved, sumsOf(ledger, question, { sql, values }, true))
  return moved
}
