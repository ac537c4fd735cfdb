import type { LedgerFilter, Rounding, Sum } from '../../../event-sourcing/ports/ledger.ts'
import { amountColumns, roundedColumns, toDecimal, toScaled } from './amounts.ts'
import { holdingAt, matching } from './conditions.reader.ts'
import type { OpenLedger } from './ledger-tables.ts'
import { slicesFor } from './slices.reader.ts'

/** What to add up, and how to group it: by `month` or texts. */
export interface SumsSpec extends LedgerFilter {
  readonly rounded?: Rounding | undefined
  readonly groupBy: readonly string[]
}

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
  const { groupBy, rounded, ...filter } = spec
  const { versions, shape } = ledger.tables
  const [holding, fitting] = [holdingAt(moment), matching(ledger, filter)]
  const [first = '0', second = '0'] = groupBy
  const columns = [...shape.summed.flatMap(amountColumns), ...roundedColumns(rounded)]
  const sums = [first, second, 'count(*)', ...columns.map((column) => `sum(${column})`)].join(', ')
  const grouped = groupBy.length > 0 ? `GROUP BY ${groupBy.join(', ')}` : 'HAVING count(*) > 0'
  const groups = new Map<string, Group>()
  for (const { index, condition } of slicesFor(ledger, spec)) {
    const parts = ledger.statements.asBigIntArrays<bigint[]>(`SELECT ${sums} FROM ${versions} INDEXED BY ${index}
      WHERE ${condition.sql} AND ${holding.sql} AND ${fitting.sql} ${grouped}`)
    const values = [...condition.values, ...holding.values, ...fitting.values]
    for (const part of parts.all(...values).map(toGroup)) {
      const name = part.keys.join(' ')
      const group = groups.get(name)
      groups.set(name, group === undefined ? part : { ...total([group, part]), keys: part.keys })
    }
  }
  return groups
}

/** Decodes two keys, the count, and units and rest of each amount. */
export function toGroup(numbers: readonly bigint[]): Group {
  const amounts: bigint[] = []
  for (let n = 3; n < numbers.length; n += 2) amounts.push(toScaled(numbers[n] as bigint, numbers[n + 1] as bigint))
  return { keys: [Number(numbers[0]), Number(numbers[1])], count: Number(numbers[2]), amounts }
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
