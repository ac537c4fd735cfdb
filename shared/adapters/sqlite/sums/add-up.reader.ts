import type { Rounding, Sum, SumsQuery } from '../../../event-sourcing/ports/ledger.ts'
import { amountColumns, roundedColumns, toDecimal, toScaled } from './amounts.ts'
import { allOf, type Condition, holdingAt, matching, slicesFor } from './conditions.reader.ts'
import type { OpenLedger } from './ledger-tables.ts'

/** What to add up, and how to group it. */
export type SumsSpec = Pick<SumsQuery, 'where' | 'from' | 'to' | 'rounded' | 'groupBy'>

/** Versions added up. */
export interface Group {
  /** What they have in common: codes of texts, or months; 0 for absent ones. */
  readonly keys: readonly number[]
  readonly count: number
  /** The sums of each summed amount, then of the rounded one, in units of 10^-10. */
  readonly amounts: readonly bigint[]
}

/** Groups by their keys. Never modified: others may be reading them. */
export type Groups = ReadonlyMap<string, Group>

/** Adds up the versions that hold at a moment and match the filter. */
export function addUp(ledger: OpenLedger, spec: SumsSpec, moment: number): Groups {
  const { versions } = ledger.tables
  const groups = new Map<string, Group>()
  for (const { index, condition } of slicesFor(ledger, spec)) {
    const { sql, values } = allOf(condition, holdingAt(moment))
    addParts(groups, sumsOf(ledger, spec, { sql: `FROM ${versions} INDEXED BY ${index} WHERE ${sql}`, values }))
  }
  return groups
}

/** Adds up the versions that this SQL selects, which begins with FROM; if `isSigned`, multiplied by `sign`, ±1. */
export function sumsOf(
  ledger: OpenLedger,
  { groupBy, rounded, ...filter }: SumsSpec,
  from: Condition,
  isSigned = false,
): Group[] {
  const columns = [...ledger.tables.shape.summed.flatMap(amountColumns), ...roundedColumns(rounded)]
  const sums = isSigned
    ? ['sum(sign)', ...columns.map((column) => `sum(sign * ${column})`)]
    : ['count(*)', ...columns.map((column) => `sum(${column})`)]
  const [first = '0', second = '0'] = groupBy
  const fitting = matching(ledger, filter)
  const grouped = groupBy.length > 0 ? `GROUP BY ${groupBy.join(', ')}` : 'HAVING count(*) > 0'
  return ledger.statements
    .asBigIntArrays<bigint[]>(`SELECT ${[first, second, ...sums].join(', ')} ${from.sql} AND ${fitting.sql} ${grouped}`)
    .all(...from.values, ...fitting.values)
    .map(toGroup)
}

/** Decodes two keys, the count, and units and rest of each amount. */
export function toGroup(numbers: readonly bigint[]): Group {
  const amounts: bigint[] = []
  for (let n = 3; n < numbers.length; n += 2) amounts.push(toScaled(numbers[n] as bigint, numbers[n + 1] as bigint))
  return { keys: [Number(numbers[0]), Number(numbers[1])], count: Number(numbers[2]), amounts }
}

/** Adds partial sums to groups, and removes groups that become empty. */
export function addParts(groups: Map<string, Group>, parts: readonly Group[]): void {
  for (const part of parts) {
    const name = `${part.keys[0]} ${part.keys[1]}`
    const group = groups.get(name)
    const sum = group === undefined ? part : { ...total([group, part]), keys: part.keys }
    if (sum.count === 0) groups.delete(name)
    else groups.set(name, sum)
  }
}

/** All groups in one. */
export function total(groups: Iterable<Group>): Group {
  let all = 0
  const sums: bigint[] = []
  for (const { count, amounts } of groups) {
    all += count
    for (let n = 0; n < amounts.length; n++) sums[n] = (sums[n] ?? 0n) + (amounts[n] as bigint)
  }
  return { keys: [], count: all, amounts: sums }
}

/** Converts a group's count and amounts to the port's form. */
export function toSum({ count, amounts }: Group, { tables }: OpenLedger, rounded?: Rounding): Sum {
  const names = [...tables.shape.summed, ...(rounded ? [rounded.name] : [])]
  const named = names.map((name, n) => [name, toDecimal(amounts[n] ?? 0n)] as const)
  return { count, amounts: Object.fromEntries(named) }
}
