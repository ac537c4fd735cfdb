import type { Field } from '../fields/fields.ts'
import type { FileColumn } from './csv-table.ts'

/** The columns of a list's spreadsheet: all fields except ids that the list doesn't show, with clients by name. */
export function columnsOf(fields: readonly Field[], notInList: readonly string[]): readonly FileColumn[] {
  return fields
    .filter(({ kind, name }) => !['id', 'client', 'business'].includes(kind) || !notInList.includes(name))
    .map(({ name, label, kind }) => ({
      heading: label,
      type: kind,
      from: kind === 'client' ? ['client', name] : [name],
    }))
}
