import type { Mapping } from '../csv/sent-rows.ts'
import type { Field } from '../fields/fields.ts'
import { bareText } from '../format/fold.ts'
import type { NumberReader } from '../format/numbers.ts'
import { inTab } from '../frame/storage.ts'
import { language, text } from '../languages/texts.ts'
import { headings } from './headings.ts'

/** A field that a column can fill. */
export type ImportField = Pick<Field, 'name' | 'label'> & Partial<Pick<Field, 'kind' | 'emptyMeans' | 'asks'>>

/** What files often have, and Mint computes: a file’s figures are compared with Mint’s, and not sent. */
export const COMPARED = ['tax', 'totalFeeWithTax'] as const

/** The columns that are sent. */
export const sentColumns = (mapping: Mapping): Mapping =>
  mapping.map((name) => (COMPARED.some((compared) => compared === name) ? undefined : name))

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

/** Whether cells name columns: at least two name fields, and none is a number. */
export function areNames(
  cells: readonly string[],
  fields: readonly ImportField[],
  { readings }: Pick<NumberReader, 'readings'>,
): boolean {
  const named = guessMapping(cells, fields).filter((name) => name !== undefined)
  return named.length >= 2 && !cells.some((cell) => Object.values(readings(cell)).some(Boolean))
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

/** Which columns fill which fields, by the headings of files, while the browser's tab is open. */
export const rememberedMapping = {
  /** undefined: no file with these headings was checked. */
  of(kind: string, columns: readonly string[], fields: readonly ImportField[]): Mapping | undefined {
    const names: readonly string[] | undefined = JSON.parse(inTab.get(keyOf(kind, columns)) ?? 'null')
    return names?.map((name) => fields.find((field) => field.name === name)?.name)
  },
  set(kind: string, columns: readonly string[], mapping: Mapping): void {
    inTab.set(keyOf(kind, columns), JSON.stringify(mapping.map((name) => name ?? '')))
  },
}

const keyOf = (kind: string, columns: readonly string[]): string => `mint-import-${kind}-${JSON.stringify(columns)}`
