import { LRUCache } from 'lru-cache'
import type { Rounding, Sum, SumsPage, SumsQuery, SumsRow } from '../../../event-sourcing/ports/ledger.ts'
import { roundedSums, sumsOf, toDecimal, toScaled } from './amounts.ts'
import { allOf, holdingAt, matching, slicesFor } from './conditions.reader.ts'
import { decodeMonth } from './encoded-version.ts'
import type { OpenLedger } from './ledger-tables.ts'
import { readTexts } from './texts.reader.ts'

/** What to add up, and how to group it. */
type SumsSpec = Pick<SumsQuery, 'where' | 'from' | 'to' | 'rounded' | 'groupBy' | 'asOf'>

/** Versions added up. */
interface Group {
  /** What they have in common: codes of texts, or months; 0 for absent ones. */
  readonly keys: readonly number[]
  readonly count: number
  /** The sums of each summed amount, then of the rounded one, in units of 10^-10. */
  readonly amounts: readonly bigint[]
  /** The first amount as a number: compared faster than a bigint, and usually enough to distinguish two groups. */
  readonly approximate: number
}

/** The groups of recent reports. */
export type RecentSums = LRUCache<string, readonly Group[]>

/** How many groups are cached; each takes about 250 bytes. */
const MAX_GROUPS = 100_000

export const createRecentSums = (): RecentSums =>
  new LRUCache({ max: 100, maxSize: MAX_GROUPS, sizeCalculation: (groups) => 1 + groups.length })

/** Reads a page of sums. */
export function readSums(ledger: OpenLedger, query: SumsQuery, recent: RecentSums): SumsPage {
  const groups = sumsAt(ledger, query, recent)
  const isGrouped = query.groupBy.length > 0
  const rows = isGrouped ? rowsOnPage(ledger, query, groups) : []
  return { rows, total: isGrouped ? groups.length : 0, sums: toSum(total(groups), ledger, query.rounded) }
}

/** Only groups with the same month and amount as one on the page are put in the order of their texts. */
function rowsOnPage(ledger: OpenLedger, query: SumsQuery, groups: readonly Group[]): SumsRow[] {
  const { groupBy, offset, limit, labelled, rounded } = query
  const [first, last] = [groups[offset], groups[Math.min(offset + limit, groups.length) - 1]]
  if (first === undefined || last === undefined) return []
  const compare = byMonthAndAmount(groupBy)
  const start = groups.findIndex((group) => compare(group, first) === 0)
  const end = groups.findLastIndex((group) => compare(group, last) === 0) + 1
  const candidates = groups.slice(start, end)
  const texts = groupBy.map((name, n) => {
    const codes = candidates.map(({ keys }) => keys[n] as number)
    return name === 'month' ? undefined : readTexts(ledger, name, query, codes)
  })
  const textOf = ({ keys }: Group, n: number) => texts[n]?.get(keys[n] as number)
  const rank = (group: Group, n: number): number => textOf(group, n)?.rank ?? 0
  candidates.sort((one, other) => compare(one, other) || rank(one, 0) - rank(other, 0) || rank(one, 1) - rank(other, 1))
  const labelledBy = groupBy.indexOf(labelled?.text ?? '')
  return candidates.slice(offset - start, offset - start + limit).map((group) => {
    const named = groupBy.map((name, n) => [name, textOf(group, n)?.text ?? decodeMonth(group.keys[n] as number)])
    const label = labelledBy < 0 ? {} : { label: textOf(group, labelledBy)?.label ?? null }
    return { group: Object.fromEntries(named), ...label, ...toSum(group, ledger, rounded) }
  })
}

/** The groups as of a moment, ordered by `byMonthAndAmount`; cached while no further version is written up to it. */
export function sumsAt(ledger: OpenLedger, query: SumsSpec, recent: RecentSums): readonly Group[] {
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
  const groups = recent.get(cacheKey) ?? addUp(ledger, query).sort(byMonthAndAmount(groupBy))
  recent.set(cacheKey, groups)
  return groups
}

/** Orders groups by month, if they are grouped by it, then by descending amount. */
function byMonthAndAmount(groupBy: readonly string[]) {
  const month = groupBy.indexOf('month')
  return (one: Group, other: Group): number => {
    const byMonth = month < 0 ? 0 : (one.keys[month] as number) - (other.keys[month] as number)
    if (byMonth !== 0) return byMonth
    if (one.approximate !== other.approximate) return other.approximate - one.approximate
    const [amount = 0n, otherAmount = 0n] = [one.amounts[0], other.amounts[0]]
    return amount === otherAmount ? 0 : amount > otherAmount ? -1 : 1
  }
}

/** Adds up the versions that hold at a moment and match the filter. */
function addUp(ledger: OpenLedger, { groupBy, rounded, asOf, ...filter }: SumsSpec): Group[] {
  const { shape, versions } = ledger.tables
  const [first = '0', second = '0'] = groupBy
  const selected = [first, second, 'count(*)', ...shape.summed.flatMap(sumsOf), ...roundedSums(rounded)].join(', ')
  const slices = slicesFor(ledger, { groupBy, ...filter })
  // Two slices with a group in common are of different months.
  const areDistinct = slices.length < 2 || groupBy.includes('month')
  // Grouping by a month that is the same in all rows takes a tenth of a report.
  const columns = slices.length > 1 ? groupBy.filter((name) => name !== 'month') : groupBy
  const grouped = columns.length > 0 ? `GROUP BY ${columns.join(', ')}` : 'HAVING count(*) > 0'
  const groups = new Map<string | number, Group>()
  for (const { index, condition } of slices) {
    const { sql, values } = allOf(condition, holdingAt(asOf), matching(ledger, filter))
    const found = ledger.statements
      .asBigIntArrays<bigint[]>(`SELECT ${selected} FROM ${versions} INDEXED BY ${index} WHERE ${sql} ${grouped}`)
      .all(...values)
    for (const part of found.map(toGroup)) {
      const name = areDistinct ? groups.size : part.keys.join(' ')
      const group = groups.get(name)
      groups.set(name, group ? { ...total([group, part]), keys: part.keys } : part)
    }
  }
  return [...groups.values()]
}

/** Decodes two keys, the count, and units and rest of each amount. */
export function toGroup(numbers: readonly bigint[]): Group {
  const amounts: bigint[] = []
  for (let n = 3; n < numbers.length; n += 2) amounts.push(toScaled(numbers[n] as bigint, numbers[n + 1] as bigint))
  const keys = [Number(numbers[0]), Number(numbers[1])]
  return { keys, count: Number(numbers[2]), amounts, approximate: Number(amounts[0] ?? 0n) }
}

/** Adds up all groups. */
export function total(groups: Iterable<Group>): Group {
  let all = 0
  const sums: bigint[] = []
  for (const { count, amounts } of groups) {
    all += count
    for (let n = 0; n < amounts.length; n++) sums[n] = (sums[n] ?? 0n) + (amounts[n] as bigint)
  }
  return { keys: [], count: all, amounts: sums, approximate: Number(sums[0] ?? 0n) }
}

/** Converts a group's count and amounts to the port's form. */
export function toSum({ count, amounts }: Group, { tables }: OpenLedger, rounded?: Rounding): Sum {
  const names = [...tables.shape.summed, ...(rounded ? [rounded.name] : [])]
  const named = names.map((name, n) => [name, toDecimal(amounts[n] ?? 0n)] as const)
  return { count, amounts: Object.fromEntries(named) }
}
