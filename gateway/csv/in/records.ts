import type { z } from 'zod'
import { type AnyTable, computedNamesOf, rulesOf } from '../../../shared/fields/field-table.ts'
import type { RecordMethods } from '../../../shared/kinds/record-methods.ts'
import { isUnknownMethod } from '../../../shared/rpc/status.ts'
import type { CsvIn } from './kinds.ts'
import { rowRule } from './row-rule.ts'

/** During an upgrade the service may not have the method yet; then only the real run finds earlier requests. */
function unlessOlderService(error: unknown): readonly [] {
  if (!isUnknownMethod(error)) throw error
  return []
}

/** Records as CSV of a kind where whatever keeps the rules of its cells can be created. */
export function recordsIn(table: AnyTable, { check, create }: RecordMethods): CsvIn<object, object> {
  return {
    rule: rowRule(rulesOf(table, 'cellRule') as z.ZodRawShape, computedNamesOf(table)),
    judge: async () => async (rows) => rows.map(({ fields }) => ({ type: 'new', fields })),
    findEarlier: (rows, { context, inTime }) => inTime(check(rows, context()), false).catch(unlessOlderService),
    create,
  }
}
