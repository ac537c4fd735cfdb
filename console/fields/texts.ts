import Big from 'big.js'
import { exactNumber, type Json, type RecordJson } from '../api/json.ts'
import type { Decimals } from '../format/decimals.ts'
import { dates, decimals as usersDecimals } from '../format/formats.ts'
import { language, text } from '../languages/texts.ts'
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
export function textsOf(fields: readonly Field[], record: RecordJson, decimals: Decimals = usersDecimals): Texts {
  return Object.fromEntries(fields.map((field) => [field.name, textOf(field, record[field.name], decimals)]))
}

/** The client's id that a text is, '' if it isn't one. An id can be pasted: a contract's client need not be known yet. */
export function clientIdIn(text: string): string {
  const id = text.trim().toLowerCase()
  return UUID.test(id) ? id : ''
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface ReadOptions {
  /** The fields of the record that is edited; undefined: a new one is created. */
  readonly before: Texts | undefined
  /** The formats of the user's language by default. */
  readonly decimals?: Decimals
}

/** What the API is sent for typed texts, or what is wrong with them. The API checks the rest. */
export function readTexts(
  fields: readonly Field[],
  texts: Texts,
  { before, decimals = usersDecimals }: ReadOptions,
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

/** Whether a new record can't be saved while it is empty. */
export const isNeeded = ({ isRequired, asks }: Field): boolean => isRequired || asks !== undefined

function sentValue(field: Field, text: string, decimals: Decimals): unknown {
  if (isDecimal(field)) return exactNumber(decimals.read(text) ?? '')
  if (field.kind === 'choices') return text === '' ? [] : text.split(',')
  return text === '' && field.isNullable ? null : text
}

const isDecimal = ({ kind }: Field): boolean => kind === 'amount' || kind === 'decimal'

function problemOf(field: Field, typed: string, decimals: Decimals): string | undefined {
  if (typed.trim() === '' && (field.isRequired || isDecimal(field))) return emptyProblem(field)
  if (isDecimal(field)) return decimalProblem(field, typed, decimals)
  if (field.kind === 'date') return yearProblem(typed)
  const length = [...typed].length
  const { maxLength } = field
  if (maxLength === undefined || length <= maxLength) return undefined
  return text('fields.tooManyCharacters', { length, most: maxLength })
}

function emptyProblem(field: Field): string {
  if (field.kind === 'client') return text('fields.chooseClient')
  if (field.asks !== undefined) return field.asks
  if (isDecimal(field)) return text('fields.enterNumber')
  return text('fields.enter', { label: language === 'de' ? field.label : field.label.toLowerCase() })
}

/** Browsers read `11/24/26` as the year 26, and accept years of up to six digits. */
function yearProblem(day: string): string | undefined {
  const [digits = ''] = day.split('-')
  if (day === '' || /^[1-9]\d{3}$/.test(digits)) return undefined
  const year = String(Number(digits))
  return digits.startsWith('00')
    ? text('fields.yearShort', { year, short: digits.slice(2) })
    : text('fields.yearIncomplete', { year })
}

interface AskOptions extends Partial<ReadOptions> {
  /** The texts that somebody was asked about already. */
  readonly asked: ReadonlySet<string>
}

/** Asks once about texts that are valid, and probably not what is meant. */
export function questionsAbout(
  fields: readonly Field[],
  texts: Texts,
  { before, decimals = usersDecimals, asked }: AskOptions,
): FieldProblems {
  const questions: Record<string, string> = {}
  for (const { name, kind } of fields) {
    const typed = texts[name] ?? ''
    if (typed === '' || typed === before?.[name] || asked.has(typed)) continue
    const question =
      (kind === 'date' && isUnusual(typed) && text('fields.unusualDay', { day: dates.date(typed) })) ||
      (name === 'taxPercent' && shareQuestion(decimals.read(typed), decimals))
    if (question) questions[name] = question
  }
  return questions
}

/** Remembers what these questions are about: a text of another field, or a row's fee, says nothing about a tax. */
export function noteAsked(asked: Set<string>, texts: Texts, questions: FieldProblems): void {
  for (const name of Object.keys(questions)) asked.add(texts[name] ?? '')
}

/** A day before 1900, or more than ten years ahead, is probably mistyped. */
export function isUnusual(day: string): boolean {
  const [year, thisYear] = [Number(day.slice(0, 4)), new Date().getFullYear()]
  return year < 1900 || year > thisYear + 10
}

/** In a spreadsheet, a cell that shows 19 % holds 0.19. */
function shareQuestion(percent = '0', { plain }: Decimals): string | undefined {
  if (Number(percent) <= 0 || Number(percent) >= 1) return undefined
  return text('fields.unusualTax', { percent: plain(percent), meant: plain(new Big(percent).times(100).toFixed()) })
}

function decimalProblem(field: Field, typed: string, decimals: Decimals): string | undefined {
  const value = decimals.read(typed)
  if (value === undefined) return unreadProblem(typed, decimals)
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, decimals: most } = field
  if (Number(value) < minimum || Number(value) > maximum) {
    return text('fields.outOfRange', { minimum: decimals.plain(minimum), maximum: decimals.plain(maximum) })
  }
  const digits = value.split('.')[1]?.replace(/0+$/, '').length ?? 0
  return most !== undefined && digits > most ? text('fields.tooManyDecimals', { most }) : undefined
}

function unreadProblem(typed: string, decimals: Decimals): string {
  const { '.': point, ',': comma } = decimals.readings(typed)
  if (point === undefined || comma === undefined) {
    return text('fields.notANumber', { example: decimals.exact('1234.5') })
  }
  return text('fields.ambiguous', { one: decimals.exact(comma), other: decimals.exact(point) })
}
