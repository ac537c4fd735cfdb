import type { LedgerFilter, Rounding, Sum } from '../../../event-sourcing/ports/ledger.ts'
import { amountColumns, roundedColumns, toDecimal, toScaled } from './amounts.ts'
import { holdingAt, matching } from './conditions.reader.ts'
import type { OpenLedger } from './open-ledger.reader.ts'
import { slicesFor } from './slices.reader.ts'

interface Rounded {
  readonly rounded?: Rounding | undefined
}

/** Versions added up. */
export interface Group {
  /** What they have in common: codes of texts, or months; 0 beyond what is grouped by. */
  readonly keys: readonly number[]
  count: number
  /** Of each summed amount, then the rounded one, in units of 10^-10. */
  readonly amounts: bigint[]
}

/**
 * Adds up the versions that hold at a moment and match the filter, in groups by `month` or texts. Yields after each
 * slice, so that other reads get a turn.
 */
export function* addUp(
  ledger: OpenLedger,
  filter: LedgerFilter & Rounded & { readonly asOf: number },
  groupBy: readonly string[],
): Generator<undefined, readonly Group[], undefined> {
  const { statements, tables } = ledger
  const [holding, fitting] = [holdingAt(filter.asOf), matching(ledger, filter)]
  const columns = [...tables.shape.summed.flatMap(amountColumns), ...roundedColumns(filter.rounded)]
  const [first = '0', second = '0'] = groupBy
  const selected = [first, second, 'count(*)', ...columns.map((column) => `sum(${column})`)].join(', ')
  const grouped = groupBy.length > 0 ? `GROUP BY ${groupBy.join(', ')}` : 'HAVING count(*) > 0'
  const complete: Group[] = []
  const growing = new Map<string, Group>()
  for (const { index, column, condition } of slicesFor(ledger, filter, groupBy)) {
    const found = statements.asBigIntArrays<bigint[]>(
      `SELECT ${selected} FROM ${tables.versions} INDEXED BY ${index}
       WHERE ${condition.sql} AND ${holding.sql} AND ${fitting.sql} ${grouped}`,
    )
    const all = found.all(...condition.values, ...holding.values, ...fitting.values).map(toGroup)
    if (groupBy.includes(column)) for (const group of all) complete.push(group)
    else for (const group of all) grow(growing, group)
    yield
  }
  return [...complete, ...growing.values()]
}

/** From two keys, the count, and units and rest of each amount. */
export function toGroup(numbers: readonly bigint[]): Group {
  const amounts: bigint[] = []
  for (let n = 3; n < numbers.length; n += 2) amounts.push(toScaled(numbers[n] as bigint, numbers[n + 1] as bigint))
  return { keys: [Number(numbers[0]), Number(numbers[1])], count: Number(numbers[2]), amounts }
}

/** Adds a part of a group to the parts so far. */
function grow(groups: Map<string, Group>, part: Group): void {
  const name = part.keys.join()
  const group = groups.get(name)
  if (group === undefined) groups.set(name, part)
  else addTo(group, part)
}

function addTo(group: Group, { count, amounts }: Group): void {
  group.count += count
  for (let n = 0; n < amounts.length; n++) group.amounts[n] = (group.amounts[n] ?? 0n) + (amounts[n] as bigint)
}

/** All groups in one. */
export function total(groups: readonly Group[]): Group {
  const all: Group = { keys: [], count: 0, amounts: [] }
  for (const group of groups) addTo(all, group)
  return all
}

/** A group's count and amounts as the port has them. */
export function toSum({ count, amounts }: Group, { tables }: OpenLedger, { rounded }: Rounded = {}): Sum {
  const names = [...tables.shape.summed, ...(rounded ? [rounded.name] : [])]
  const named = names.map((name, n) => [name, toDecimal(amounts[n] ?? 0n)] as const)
  return { count, amounts: Object.fromEntries(named) }
}
