import type { CsvFile } from '../../console/csv/csv-file.ts'
import type { Mapping } from '../../console/csv/sent-rows.ts'
import { businessFields } from '../../shared/fields/business-fields.ts'
import { contractFields } from '../../shared/fields/contract-fields.ts'
import { computedNamesOf } from '../../shared/fields/field-table.ts'
import { CommandFailure, EXIT } from '../exit.ts'

/** A kind of record that a file can have. */
export type ImportKind = 'contracts' | 'businesses'

const TABLES = { contracts: contractFields, businesses: businessFields }

/**
 * The field of each column: the one that `names` says, or that of the column's own name. What Mint computes is left out,
 * as in the console: of an exported file both send the same. Throws CommandFailure.
 */
export function mappingOf({ columns }: CsvFile, kind: ImportKind, names: ReadonlyMap<string, string>): Mapping {
  for (const name of names.keys()) {
    if (columns.includes(name)) continue
    const message = `--map ${name}: The file has no such column. It has: ${columns.join(', ')}.`
    throw new CommandFailure(message, { exitCode: EXIT.usage })
  }
  const computed = computedNamesOf(TABLES[kind])
  const fields = columns.map((column) => names.get(column) ?? column)
  return fields.map((field) => (computed.includes(field) ? undefined : field))
}
