import { LRUCache } from 'lru-cache'
import type { Rounding, Sum, SumsPage, SumsQuery, SumsRow } from '../../../event-sourcing/ports/ledger.ts'
import { roundedSums, sumsOf, toDecimal } from './amounts.ts'
import { allOf, holdingAt, matching, slicesFor } from './conditions.reader.ts'
import { decodeMonth } from './encoded-version.ts'
import { type Group, type Groups, gatherGroups } from './groups.ts'
import type { OpenLedger } from './ledger-tables.ts'
import { labelSql } from './texts.reader.ts'

/** What to add up, and how to group it. */
type SumsSpec = Pick<SumsQuery, 'where' | 'from' | 'to' | 'rounded' | 'groupBy' | 'asOf'>

/** The groups of recent reports. */
export type RecentSums = LRUCache<string, Groups>

/** How many groups are cached; each takes about 90 bytes. */
const MAX_GROUPS = 400_000

export const createRecentSums = (): RecentSums =>
  new LRUCache({ max: 100, maxSize: MAX_GROUPS, sizeCalculation: ({ order }) => 1 + order.length })

/** Reads a page of sums. */
export function readSums(ledger: OpenLedger, query: SumsQuery, recent: RecentSums): SumsPage {
  const groups = sumsAt(ledger, query, recent)
  const isGrouped = query.groupBy.length > 0
  const rows = isGrouped ? rowsOnPage(ledger, query, groups) : []
  return { rows, total: isGrouped ? groups.order.length : 0, sums: toSum(groups.total, ledger, query.rounded) }
}

/** Only groups with the same month and amount as one on the page are put in the order of their texts. */
function rowsOnPage(ledger: OpenLedger, query: SumsQuery, groups: Groups): SumsRow[] {
  const { groupBy, offset, limit, labelled, rounded, asOf } = query
  const start = groups.startOfTie(offset)
  const candidates = Array.from(groups.ties(start, offset + limit), ([tie, n]) => {
    const codes = groups.at(n).keys.map((key, index) => (groupBy[index] === 'month' ? 0 : key))
    return `[${tie},${n},${codes}]`
  })
  const labelledBy = groupBy.indexOf(labelled?.text ?? '')
  const label = labelledBy < 0 ? 'NULL' : labelSql(ledger, labelled, labelledBy === 0 ? 'one.text' : 'other.text')
  const byTexts =
    labelledBy === 1 ? 'one.text, label IS NULL, label, other.text' : 'label IS NULL, label, one.text, other.text'
  const sql = `SELECT value ->> 1 AS n, one.text AS one, other.text AS other, ${label} AS label
    FROM json_each(?2)
      LEFT JOIN ${ledger.tables.codes} AS one ON one.code = value ->> 2
      LEFT JOIN ${ledger.tables.codes} AS other ON other.code = value ->> 3
    ORDER BY value ->> 0, ${byTexts} LIMIT ?3 OFFSET ?4`
  const found = ledger.statements.of<FoundGroup>(sql).all(asOf, `[${candidates}]`, limit, offset - start)
  return found.map(({ n, one, other, label }) => {
    const group = groups.at(n)
    const named = groupBy.map((name, index) => [name, [one, other][index] ?? decodeMonth(group.keys[index] ?? 0)])
    return { group: Object.fromEntries(named), ...(labelledBy >= 0 && { label }), ...toSum(group, ledger, rounded) }
  })
}

/** A group on a page, by its number, with the texts of its keys. */
interface FoundGroup {
  readonly n: number
  readonly one: string | null
  readonly other: string | null
  readonly label: string | null
}

/** The groups as of a moment; cached while no further version is written up to it. */
export function sumsAt(ledger: OpenLedger, query: SumsSpec, recent: RecentSums): Groups {
  const { where, from, to, rounded, groupBy, asOf } = query
  const { versions, late, byTime } = ledger.tables
  // If these are the same, so are the versions up to the moment: another one has the last one's time, or is late.
  const upTo = ledger.statements
    .of(
      `SELECT max(at) AS last, count(*) AS count, (SELECT max(number) FROM ${late}) AS late
       FROM ${versions} INDEXED BY ${byTime} WHERE at = (SELECT max(at) FROM ${versions} WHERE at <= ?)`,
    )
    .get(asOf)
  const cacheKey = JSON.stringify([versions, where, from, to, rounded, groupBy, upTo])
  const groups = recent.get(cacheKey) ?? addUp(ledger, query)
  recent.set(cacheKey, groups)
  return groups
}

/** Adds up the versions that hold at a moment and match the filter. */
function addUp(ledger: OpenLedger, { groupBy, rounded, asOf, ...filter }: SumsSpec): Groups {
  const { shape, versions } = ledger.tables
  const [first = '0', second = '0'] = groupBy
  const selected = [first, second, 'count(*)', ...shape.summed.flatMap(sumsOf), ...roundedSums(rounded)]
  const slices = slicesFor(ledger, { groupBy, ...filter })
  // Two slices with a group in common are of different months. Without groups, only the total counts.
  const areDistinct = slices.length < 2 || groupBy.length === 0 || groupBy.includes('month')
  // Grouping by a month that is the same in all rows takes a tenth of a report.
  const columns = slices.length > 1 ? groupBy.filter((name) => name !== 'month') : groupBy
  const grouped = columns.length > 0 ? `GROUP BY ${columns.join(', ')}` : 'HAVING count(*) > 0'
  function* rows(): Generator<readonly bigint[]> {
    for (const { index, condition } of slices) {
      const { sql, values } = allOf(condition, holdingAt(asOf), matching(ledger, filter))
      yield* ledger.statements
        .asBigIntArrays<bigint[]>(
          `SELECT ${selected.join(', ')} FROM ${versions} INDEXED BY ${index} WHERE ${sql} ${grouped}`,
        )
        .iterate(...values)
    }
  }
  return gatherGroups(rows(), { width: selected.length, areDistinct, month: groupBy.indexOf('month') })
}

/** Converts a count and amounts to the port's form. */
export function toSum({ count, amounts }: Omit<Group, 'keys'>, { tables }: OpenLedger, rounded?: Rounding): Sum {
  const names = [...tables.shape.summed, ...(rounded ? [rounded.name] : [])]
  const named = names.map((name, n) => [name, toDecimal(amounts[n] ?? 0n)] as const)
  return { count, amounts: Object.fromEntries(named) }
}
