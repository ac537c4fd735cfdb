import type { CsvFile } from '../../console/csv/csv-file.ts'
import type { Mapping } from '../../console/csv/sent-rows.ts'
import { computedNamesOf } from '../../shared/fields/field-table.ts'
import { KINDS, type Many } from '../../shared/kinds/registry.ts'
import { CommandFailure, EXIT } from '../exit.ts'

/**
 * The field of each column: the one that `names` says, or that of the column's own name. What Mint computes is left out,
 * as in the console: of an exported file both send the same. Throws CommandFailure.
 */
export function mappingOf({ columns }: CsvFile, many: Many, names: ReadonlyMap<string, string>): Mapping {
  for (const name of names.keys()) {
    if (columns.includes(name)) continue
    const message = `--map ${name}: The file has no such column. It has: ${columns.join(', ')}.`
    throw new CommandFailure(message, { exitCode: EXIT.usage })
  }
  const table = Object.values(KINDS).find((kind) => kind.many === many)?.fields ?? {}
  const computed = computedNamesOf(table)
  const fields = columns.map((column) => names.get(column) ?? column)
  return fields.map((field) => (computed.includes(field) ? undefined : field))
}
