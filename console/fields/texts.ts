import { exactNumber, type Json, type RecordJson } from '../api/json.ts'
import type { Decimals } from '../format/decimals.ts'
import type { Field } from './fields.ts'

/** What is typed in a form, by field. */
export type Texts = Readonly<Record<string, string>>

/** What is wrong with what was typed, by field. */
export type FieldProblems = Readonly<Record<string, string>>

/** A field's value as it is typed. */
function textOf({ kind }: Field, value: Json, decimals: Decimals): string {
  if (value === null || value === undefined) return ''
  if (kind === 'amount' || kind === 'decimal') return decimals.input(value)
  return kind === 'date' ? String(value).slice(0, 10) : String(value)
}

/** The values of a record as they are typed. */
export function textsOf(fields: readonly Field[], record: RecordJson, decimals: Decimals): Texts {
  return Object.fromEntries(fields.map((field) => [field.name, textOf(field, record[field.name], decimals)]))
}

/** What the API is sent for typed texts, or what is wrong with them. The API checks the rest. */
export function readTexts(
  fields: readonly Field[],
  texts: Texts,
  { before, decimals }: { readonly before: Texts | undefined; readonly decimals: Decimals },
): { readonly values: Record<string, unknown>; readonly problems: FieldProblems } {
  const values: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const field of fields) {
    const text = texts[field.name] ?? ''
    // A record is created without what was left empty; an edit sends what has changed.
    if (before === undefined ? text === '' && !isNeeded(field) : text === (before[field.name] ?? '')) continue
    const problem = problemOf(field, text, decimals)
    if (problem !== undefined) problems[field.name] = problem
    else values[field.name] = sentValue(field, text, decimals)
  }
  return { values, problems }
}

/** Whether a new record isn't saved while it is empty. */
export const isNeeded = ({ isRequired, asks }: Field): boolean => isRequired || asks !== undefined

function sentValue(field: Field, text: string, decimals: Decimals): unknown {
  if (isDecimal(field)) return exactNumber(decimals.read(text) ?? '')
  return text === '' && field.isNullable ? null : text
}

const isDecimal = ({ kind }: Field): boolean => kind === 'amount' || kind === 'decimal'

function problemOf(field: Field, text: string, decimals: Decimals): string | undefined {
  if (text.trim() === '' && (field.isRequired || isDecimal(field))) return emptyProblem(field)
  if (isDecimal(field)) return decimalProblem(field, text, decimals)
  if (field.kind === 'date') return yearProblem(text)
  const length = [...text].length
  const { maxLength } = field
  if (maxLength === undefined || length <= maxLength) return undefined
  return `${length} characters are too many. Use at most ${maxLength}.`
}

function emptyProblem(field: Field): string {
  if (field.kind === 'client') return 'Choose a client from the list.'
  if (field.asks !== undefined) return field.asks
  return isDecimal(field) ? 'Enter a number; 0 for none.' : `Enter the ${field.label.toLowerCase()}.`
}

/** Of `11/24/26` a browser makes the year 26. */
function yearProblem(day: string): string | undefined {
  const [, year = ''] = /^0(\d{3})-/.exec(day) ?? []
  if (year === '') return undefined
  const short = year.slice(1)
  const advice = year.startsWith('0') ? `Did you mean 20${short} or 19${short}?` : 'Write all four digits.'
  return `The year is ${Number(year)}. ${advice}`
}

function decimalProblem(field: Field, text: string, decimals: Decimals): string | undefined {
  const value = decimals.read(text)
  if (value === undefined) return unreadProblem(text, decimals)
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, decimals: most } = field
  if (Number(value) < minimum || Number(value) > maximum) {
    return `Out of range. Enter a number from ${decimals.plain(minimum)} to ${decimals.plain(maximum)}.`
  }
  const digits = value.split('.')[1]?.replace(/0+$/, '').length ?? 0
  return most !== undefined && digits > most ? `Use at most ${most} digits after the decimal mark.` : undefined
}

function unreadProblem(text: string, decimals: Decimals): string {
  const { '.': point, ',': comma } = decimals.readings(text)
  if (point === undefined || comma === undefined) return `Not a number. Write it like ${decimals.exact('1234.5')}.`
  return `This could mean ${decimals.exact(comma)} or ${decimals.exact(point)}. Type one of these.`
}
