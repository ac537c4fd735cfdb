import { writeRow } from '../csv/cells.ts'
import { createClientNames } from '../fields/client-names.ts'
import { choiceLabel, type Field, recordFields } from '../fields/fields.ts'
import { textsOf } from '../fields/texts.ts'
import type { PageContext } from '../frame/page.ts'
import { type TextName, text } from '../languages/texts.ts'
import { clientIdsOf, fieldsSet } from '../records/history.ts'
import { contracts } from '../records/kinds.ts'
import type { FileColumn } from '../sheets/csv-table.ts'
import { type Change, changingKinds, titleOf } from './changes.ts'

/** What changes have set, on the screen and in files. */
export function createChangeValues(context: PageContext) {
  const names = createClientNames(context)
  const fields = new Map(
    changingKinds.map((kind) => {
      const all = recordFields(context.document, kind.schema, kind.creation)
      return [kind, all.filter(({ name }) => !Object.hasOwn(kind.ids, name))]
    }),
  )
  const fieldsOf = (change: Change): readonly Field[] => fieldsSet(change, fields.get(change.kind) ?? [])

  function textOf(field: Field, value: unknown): string {
    if (field.kind === 'client') return names.of(String(value)) || String(value ?? '')
    const { [field.name]: typed = '' } = textsOf([field], { [field.name]: value })
    return field.kind === 'choice' ? choiceLabel(typed) : typed
  }

  function rowsOf(change: Change): readonly (readonly string[])[] {
    const { at, by, byName, before, data, overrideReason } = change
    const given = [byName ?? by, titleOf(change), actionOf(change)].map(guarded)
    return fieldsOf(change).flatMap((field) => {
      const isNumber = field.kind === 'amount' || field.kind === 'decimal'
      const values = [before[field.name], data[field.name]].map((value) => textOf(field, value))
      if (values[0] === values[1]) return []
      return [[at, ...given, field.label, ...(isNumber ? values : values.map(guarded)), guarded(overrideReason ?? '')]]
    })
  }

  return {
    fieldsOf,
    clientName: names.of,
    /** The client of a contract; nothing of other records. */
    clientOf: ({ kind, record }: Change) => (kind === contracts ? names.of(record.clientId) : undefined),
    loadNames: (changes: readonly Change[]) =>
      names.load(
        changes.flatMap((change) => [change.record.clientId ?? [], clientIdsOf([change], fieldsOf(change))].flat()),
      ),
    /** A row for each field that got another value. */
    fileOf: (changes: readonly Change[]): Blob => {
      const rows = [COLUMNS.map(([name]) => name), ...changes.flatMap(rowsOf)]
      return new Blob(['\ufeff', ...rows.map((cells) => `${writeRow(cells)}\r\n`)], { type: 'text/csv' })
    },
  }
}

const COLUMNS = [
  ['at', 'word.when'],
  ['by', 'changes.by'],
  ['record', 'word.what'],
  ['action', 'changes.action'],
  ['field', 'word.field'],
  ['before', 'changes.before'],
  ['after', 'changes.after'],
  ['reason', 'changes.reason'],
] as const satisfies readonly (readonly [name: string, heading: TextName])[]

export const changeColumns: readonly FileColumn[] = COLUMNS.map(([name, heading]) => {
  return { heading: text(heading), type: name === 'at' ? 'moment' : 'text', from: [name] }
})

/** Whether it was created or edited, in words. */
export const actionOf = ({ type }: Pick<Change, 'type'>): string =>
  text(/created\./i.test(type) ? 'history.event.Created' : 'history.event.Edited')

/** With the apostrophe that keeps spreadsheets from taking a text for a formula, as in the API's files. */
const guarded = (value: string): string => (FORMULA.test(value) ? `'${value}` : value)
const FORMULA = /^[\p{White_Space}\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20']/u
