import type { Field } from '../fields/fields.ts'
import type { FieldKind } from '../fields/overrides.ts'
import type { SheetType } from './cells.ts'
import type { FileColumn } from './csv-table.ts'

const TYPES: Readonly<Partial<Record<FieldKind, SheetType>>> = {
  date: 'date',
  moment: 'moment',
  amount: 'amount',
  decimal: 'number',
  number: 'integer',
}

const IDS: readonly FieldKind[] = ['id', 'client', 'business']

/** The columns of a list's spreadsheet: all fields but ids that the list doesn't show, with clients by name. */
export function columnsOf(fields: readonly Field[], notInList: readonly string[]): readonly FileColumn[] {
  return fields
    .filter(({ kind, name }) => !IDS.includes(kind) || !notInList.includes(name))
    .map(({ name, label, kind }) => ({
      heading: label,
      type: TYPES[kind] ?? 'text',
      from: kind === 'client' ? ['client', name] : [name],
    }))
}
