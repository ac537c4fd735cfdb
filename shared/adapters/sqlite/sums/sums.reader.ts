import { LRUCache } from 'lru-cache'
import type { Rounding, Sum, SumsPage, SumsQuery, SumsRow } from '../../../event-sourcing/ports/ledger.ts'
import { roundedSums, sumsOf, toDecimal } from './amounts.ts'
import { allOf, holdingAt, matching, monthsIn, sliceOfMonth, slicesFor } from './conditions.reader.ts'
import { decodeMonth } from './encoded-version.ts'
import { type Group, type Groups, gatherGroups } from './groups.ts'
import type { OpenLedger } from './ledger-tables.ts'
import { labelSql } from './texts.reader.ts'

/** What to add up, and how to group it. */
interface SumsSpec extends Pick<SumsQuery, 'where' | 'from' | 'to' | 'rounded' | 'groupBy' | 'asOf'> {
  /** Only this month, as 202601. */
  readonly month?: number
}

/** The groups of recent reports, and how many there are in each month. */
export type RecentSums = LRUCache<string, Groups | Months>

/** How many groups are cached; each takes about 90 bytes. */
const MAX_GROUPS = 400_000

export const createRecentSums = (): RecentSums =>
  new LRUCache({ max: 1_000, maxSize: MAX_GROUPS, sizeCalculation: ({ order }) => 1 + order.length })

/** Reads a page of sums. */
export function readSums(ledger: OpenLedger, query: SumsQuery, recent: RecentSums): SumsPage {
  const { groupBy, where } = query
  const [first = ''] = ledger.tables.shape.texts
  // Those of one first text are few, and not in the order of months.
  if (groupBy.length > 1 && groupBy.includes('month') && where[first] === undefined) {
    return readByMonth(ledger, query, recent)
  }
  const groups = sumsAt(ledger, query, recent)
  const isGrouped = query.groupBy.length > 0
  const rows = isGrouped ? rowsOnPage(ledger, query, groups) : []
  return { rows, total: isGrouped ? groups.order.length : 0, sums: toSum(groups.total, ledger, query.rounded) }
}

/**
 * Reads a page of groups of a month and a text. They are in the order of months, so that only those of one month need to
 * be in memory at a time: 1.5 million take 230 MB, and are too many to be cached for the next page.
 */
function readByMonth(ledger: OpenLedger, query: SumsQuery, recent: RecentSums): SumsPage {
  const ofMonth = (month: number): Groups => sumsAt(ledger, { ...query, month }, recent)
  const { order: months, total } = cached(ledger, query, recent, () => addUpMonths(monthsIn(ledger, query), ofMonth))
  const rows: SumsRow[] = []
  let skipped = query.offset
  for (const { month, groups } of months) {
    const limit = query.limit - rows.length
    if (limit === 0) break
    if (skipped < groups) rows.push(...rowsOnPage(ledger, { ...query, limit, offset: skipped }, ofMonth(month)))
    skipped = Math.max(0, skipped - groups)
  }
  return { rows, total: months.reduce((sum, { groups }) => sum + groups, 0), sums: toSum(total, ledger, query.rounded) }
}

/** How many groups each month has, for later pages, and all of them added up. */
interface Months {
  readonly order: readonly { readonly month: number; readonly groups: number }[]
  readonly total: Group
}

function addUpMonths(months: readonly number[], ofMonth: (month: number) => Groups): Months {
  const order: Months['order'][number][] = []
  let [count, amounts]: [number, readonly bigint[]] = [0, []]
  for (const month of months) {
    const { order: groups, total } = ofMonth(month)
    order.push({ month, groups: groups.length })
    count += total.count
    amounts = total.amounts.map((amount, n) => amount + (amounts[n] ?? 0n))
  }
  return { order, total: { keys: [], count, amounts } }
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

/** The groups as of a moment. */
export function sumsAt(ledger: OpenLedger, query: SumsSpec, recent: RecentSums): Groups {
  return cached(ledger, query, recent, () => addUp(ledger, query))
}

/** What is computed for a query; cached while no further version is written up to its moment. */
function cached<Found extends Groups | Months>(
  ledger: OpenLedger,
  query: SumsSpec,
  recent: RecentSums,
  compute: () => Found,
): Found {
  const { where, from, to, rounded, groupBy, month, asOf } = query
  const { versions, late, byTime } = ledger.tables
  // If these are the same, so are the versions up to the moment: another one has the last one's time, or is late.
  const upTo = ledger.statements
    .of(
      `SELECT max(at) AS last, count(*) AS count, (SELECT max(number) FROM ${late}) AS late
       FROM ${versions} INDEXED BY ${byTime} WHERE at = (SELECT max(at) FROM ${versions} WHERE at <= ?)`,
    )
    .get(asOf)
  const cacheKey = JSON.stringify([versions, where, from, to, rounded, groupBy, month, upTo])
  const found = (recent.get(cacheKey) as Found | undefined) ?? compute()
  recent.set(cacheKey, found)
  return found
}

/** Adds up the versions that hold at a moment and match the filter. */
function addUp(ledger: OpenLedger, { groupBy, rounded, asOf, month, ...filter }: SumsSpec): Groups {
  const { shape, versions } = ledger.tables
  const [first = '0', second = '0'] = groupBy
  const selected = [first, second, 'count(*)', ...shape.summed.flatMap(sumsOf), ...roundedSums(rounded)]
  const isOneMonth = month !== undefined
  const slices = isOneMonth ? [sliceOfMonth(ledger, filter, month)] : slicesFor(ledger, { groupBy, ...filter })
  // Two slices with a group in common are of different months. Without groups, only the total counts.
  const areDistinct = slices.length < 2 || groupBy.length === 0 || groupBy.includes('month')
  // Grouping by a month that is the same in all rows takes a tenth of a report.
  const columns = isOneMonth || slices.length > 1 ? groupBy.filter((name) => name !== 'month') : groupBy
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
