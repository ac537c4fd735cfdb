import type { Mapping, ReadCell } from '../csv/sent-rows.ts'
import type { FieldKind } from '../fields/overrides.ts'
import { bareText } from '../format/fold.ts'
import { language, text } from '../languages/texts.ts'
import { headings } from './headings.ts'

/** A field that a column can fill. */
export interface ImportField {
  readonly name: string
  readonly label: string
  readonly kind?: FieldKind
  /** What a new record gets if its cell is empty. */
  readonly emptyMeans?: string | undefined
  /** The question that is asked if its cell is empty, as in a form. */
  readonly asks?: string | undefined
  /** Mint computes it: the file’s figures are compared with Mint’s, and not sent. */
  readonly isCompared?: boolean
}

/** The columns that are sent. */
export function sentColumns(mapping: Mapping, fields: readonly ImportField[]): Mapping {
  const compared = fields.filter(({ isCompared }) => isCompared).map(({ name }) => name)
  return mapping.map((name) => (name !== undefined && compared.includes(name) ? undefined : name))
}

/** A cell as it is read; an empty one is a problem if its field asks what is meant. */
export const askedIfEmpty = (cell: ReadCell, asks: string | undefined): ReadCell =>
  asks !== undefined && cell.text.trim() === '' ? { ...cell, problem: asks } : cell

/** A guess from the names of the columns: equal ones first, in any of the languages, then those that contain each other. */
export function guessMapping(columns: readonly string[], fields: readonly ImportField[]): Mapping {
  const mapping: (string | undefined)[] = columns.map(() => undefined)
  const guess = (isMeant: (column: string, names: readonly string[]) => boolean) => {
    for (const [index, column] of columns.entries()) {
      const key = bareText(column.replace(CURRENCY, ''))
      if (mapping[index] !== undefined || key === '') continue
      const free = fields.filter(({ name }) => !mapping.includes(name))
      mapping[index] = free.find(({ name, label }) => isMeant(key, [bareText(name), bareText(label)]))?.name
    }
  }
  guess((column, names) => names.includes(column))
  guess((column, [name = '']) => headingsOf.get(name)?.includes(column) ?? false)
  guess((column, names) => column.length >= 3 && names.some((name) => name.includes(column)))
  // Not by labels: that of the percentage contains `tax`, and so do headings of totals.
  guess((column, [name = '']) => name.length >= 3 && column.includes(name))
  return mapping
}

const CURRENCY = /\b(in )?(eur|euro|usd|chf|gbp|cad)\b/gi

const headingsOf = new Map(Object.entries(headings).map(([name, others]) => [bareText(name), others.split(' ')]))

const either = new Intl.ListFormat(language, { type: 'disjunction' })

/** What is wrong with a mapping; undefined: nothing. `required`: each group needs at least one column. */
export function mappingProblem(
  mapping: Mapping,
  fields: readonly ImportField[],
  required: readonly (readonly string[])[],
): string | undefined {
  const labelOf = (name: string) => fields.find((field) => field.name === name)?.label ?? name
  const twice = mapping.find((name, index) => name !== undefined && mapping.indexOf(name) !== index)
  if (twice !== undefined) return text('import.mappedTwice', { field: labelOf(twice) })
  const missing = required.filter((group) => !group.some((name) => mapping.includes(name)))
  if (missing.length === 0) return undefined
  const wanted = missing.map((group) => either.format(group.map(labelOf)))
  return text('import.notMapped', { fields: wanted.join(', ') })
}

/** What a column is called. */
export const nameOf = ({ columns }: { readonly columns: readonly string[] }, index: number): string =>
  columns[index]?.trim() ? columns[index] : text('import.columnNumber', { number: index + 1 })
