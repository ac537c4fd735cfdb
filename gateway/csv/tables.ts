import type { z } from 'zod'
import { type AnyTable, bodyExampleOf, computedNamesOf, rulesOf } from '../../shared/fields/field-table.ts'
import type { Kind } from '../../shared/kinds/kind.ts'
import type { RecordMethods } from '../../shared/kinds/record-methods.ts'
import type { KindName } from '../../shared/kinds/registry.ts'
import type { CalledServices } from '../../shared/kinds/services.ts'
import { type CsvColumns, columnsOf, contractColumns } from './columns.ts'
import { csvHeader, csvLines } from './csv-file.ts'
import { contractsImport } from './import/contracts.ts'
import type { AnyCsvImport, CsvImport } from './import/csv-import.ts'
import { rowRule } from './import/row-rule.ts'

/** How a kind's records are exported to CSV files, and imported from them. */
export interface Tables {
  readonly columns: CsvColumns
  readonly rows: AnyCsvImport
  /** Of a file that creates records. */
  readonly example: string
  /** Which columns a file may have besides the fields of creation. */
  readonly aboutColumns?: string
}

/** The kinds whose files have more columns than fields. */
const SPECIAL: Readonly<Partial<Record<KindName, (services: CalledServices, plain: AnyCsvImport) => Tables>>> = {
  contract: ({ contracts, clients }, plain) => ({
    columns: contractColumns(clients),
    rows: { ...plain, ...contractsImport(contracts, clients) },
    example:
      'client,serviceName,serviceType,serviceFee,taxPercent,serviceDate\r\nÉcole Montréal,Sales tax return,tax-filing,150,8.25,2026-01-31\r\n',
    aboutColumns:
      '\n\nContracts that an earlier request with the same Idempotency-Key wrote are not checked again.\n\nA row may give the display name of exactly one Client as `client` instead of its `clientId`; the whole name must match, ignoring case, accents and white space at both ends. If both are given, `client` is ignored. A reason in `Closing-Override` applies to every row in a closed period.',
  }),
}

/** The files of a kind; by default, their columns are its fields. */
export function tablesOf(one: KindName, { fields }: Kind, methods: RecordMethods, services: CalledServices): Tables {
  const created = bodyExampleOf(fields)
  const columns = Object.keys(created)
  const plain = {
    columns: columnsOf(fields),
    rows: recordsImport(fields, methods),
    example: csvHeader(columns) + csvLines(columns, [created]),
  }
  return SPECIAL[one]?.(services, plain.rows) ?? plain
}

/** Imports of a kind whose rows can be created if their cells are valid. */
function recordsImport(table: AnyTable, { check, create }: RecordMethods): CsvImport<object, object> {
  return {
    rule: rowRule(rulesOf(table, 'cellRule') as z.ZodRawShape, computedNamesOf(table)),
    judge: async () => async (rows) => rows.map(({ fields }) => ({ type: 'new', fields })),
    findEarlier: (rows, { context, inTime }) => inTime(check(rows, context()), false),
    create,
  }
}
