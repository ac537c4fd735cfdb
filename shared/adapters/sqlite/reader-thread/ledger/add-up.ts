import type { LedgerFilter, Sum } from '../../../../event-sourcing/ports/ledger.ts'
import { amountColumns, toDecimal, toScaled } from '../../any-thread/ledger/amounts.ts'
import { holdingAt, matching } from './conditions.ts'
import type { OpenLedger } from './open-ledger.ts'
import { slicesFor } from './slices.ts'

/** Versions added up. */
export interface Group {
  /** What they have in common: codes of texts, or months. */
  readonly keys: readonly number[]
  count: number
  /** Of each summed amount, in units of 10^-10. */
  readonly amounts: bigint[]
}

/**
 * Adds up the versions that hold at a moment and match the filter, in groups by `month` or texts. Yields after each slice, so that
 * other reads get a turn.
 */
export function* addUp(
  ledger: OpenLedger,
  filter: LedgerFilter & { readonly asOf: number },
  groupBy: readonly string[],
): Generator<undefined, readonly Group[], undefined> {
  const { statements, tables } = ledger
  const [holding, fitting] = [holdingAt(filter.asOf), matching(ledger, filter)]
  const columns = tables.shape.summed.flatMap(amountColumns)
  const selected = [...groupBy, 'count(*)', ...columns.map((column) => `sum(${column})`)].join(', ')
  const grouped = groupBy.length > 0 ? `GROUP BY ${groupBy.join(', ')}` : 'HAVING count(*) > 0'
  const groups = new Map<string, Group>()
  for (const { index, condition } of slicesFor(ledger, filter, groupBy)) {
    const found = statements.asBigIntArrays<bigint[]>(
      `SELECT ${selected} FROM ${tables.versions} INDEXED BY ${index}
       WHERE ${condition.sql} AND ${holding.sql} AND ${fitting.sql} ${grouped}`,
    )
    for (const numbers of found.all(...condition.values, ...holding.values, ...fitting.values)) {
      add(groups, numbers, groupBy.length)
    }
    yield
  }
  return [...groups.values()]
}

function add(groups: Map<string, Group>, numbers: readonly bigint[], width: number): void {
  const name = numbers.slice(0, width).join()
  const sums = numbers.slice(width + 1)
  const amounts = sums.flatMap((units, n) => (n % 2 === 0 ? [toScaled(units, sums[n + 1] as bigint)] : []))
  const group = groups.get(name)
  if (group === undefined) {
    groups.set(name, { keys: numbers.slice(0, width).map(Number), count: Number(numbers[width]), amounts })
    return
  }
  group.count += Number(numbers[width])
  for (const [n, amount] of amounts.entries()) group.amounts[n] = (group.amounts[n] as bigint) + amount
}

/** All groups in one. */
export function total(groups: readonly Group[], { tables }: OpenLedger): Group {
  const all: Group = { keys: [], count: 0, amounts: tables.shape.summed.map(() => 0n) }
  for (const { count, amounts } of groups) {
    all.count += count
    for (const [n, amount] of amounts.entries()) all.amounts[n] = (all.amounts[n] as bigint) + amount
  }
  return all
}

/** A group's count and amounts as the port has them. */
export function toSum({ count, amounts }: Group, { tables }: OpenLedger): Sum {
  const named = tables.shape.summed.map((name, n) => [name, toDecimal(amounts[n] as bigint)] as const)
  return { count, amounts: Object.fromEntries(named) }
}
