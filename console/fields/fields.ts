import type { ApiDocument, Schema } from '../api/document.ts'
import type { ExactNumber } from '../api/json.ts'
import { currencyNames } from '../format/formats.ts'
import { textIfAny } from '../languages/texts.ts'
import { type FieldKind, overrides } from './overrides.ts'

/** A field of a record, form or filter, as the OpenAPI document describes it. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly kind: FieldKind
  /** What to know when filling it in. */
  readonly hint: string | undefined
  /** What a new record gets if it is left empty. */
  readonly emptyMeans: string | undefined
  /** The question that is asked if it is left empty in a new record. */
  readonly asks: string | undefined
  /** Whether callers set it. */
  readonly isGiven: boolean
  readonly isRequired: boolean
  readonly isNullable: boolean
  readonly maxLength: number | undefined
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  /** How many digits may follow the point. */
  readonly decimals: number | undefined
  /** Of a choice. */
  readonly choices: readonly string[]
}

/** The fields of a record, in its order: how they are shown and, if callers set them, how they are typed. */
export function recordFields(document: ApiDocument, record: string, creation?: string): readonly Field[] {
  const given: Schema = creation === undefined ? {} : document.schema(creation)
  return Object.entries(document.schema(record).properties ?? {}).map(([name, shown]) =>
    toField(name, { shown, given: given.properties?.[name], isRequired: given.required?.includes(name) ?? false }),
  )
}

/** The filters of a list: its parameters, apart from those that choose a page. */
export function filterFields(document: ApiDocument, path: string): readonly Field[] {
  const filters = document.queryOf(path).filter(({ name }) => !['search', 'limit', 'offset', 'after'].includes(name))
  return filters.map(({ name, schema }) => toField(name, { shown: schema, given: schema, isRequired: false }))
}

interface Sources {
  readonly shown: Schema
  readonly given: Schema | undefined
  readonly isRequired: boolean
}

function toField(name: string, { shown, given, isRequired }: Sources): Field {
  const label = textIfAny(`field.${name}`)
  const rule = variantsOf(given ?? {})
  const find = <Key extends keyof Schema>(key: Key) => rule.find((one) => one[key] !== undefined)?.[key]
  const step = find('multipleOf')
  return {
    name,
    label: label ?? labelOf(name),
    kind: overrides[name]?.kind ?? kindOf(shown, rule),
    hint: label === undefined ? (given?.description ?? shown.description) : textIfAny(`hint.${name}`),
    emptyMeans: textIfAny(`empty.${name}`),
    asks: textIfAny(`asks.${name}`),
    isGiven: given !== undefined,
    isRequired,
    isNullable: rule.some(({ type }) => type === 'null'),
    maxLength: find('maxLength'),
    minimum: find('minimum'),
    maximum: find('maximum'),
    decimals: step === undefined ? undefined : decimalsOf(step),
    choices:
      overrides[name]?.choices ??
      shown.enum ??
      find('enum') ??
      find('items')?.enum ??
      [shown.const ?? find('const')].filter((value) => value !== undefined),
  }
}

/** A schema and its alternatives. */
function variantsOf(schema: Schema): readonly Schema[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(variantsOf)]
}

const LONG_TEXT = 500

function kindOf(shown: Schema, rule: readonly Schema[]): FieldKind {
  const types = [shown.type].flat()
  if (shown.enum || shown.const !== undefined) return 'choice'
  if (types.includes('array')) return 'choices'
  if (types.includes('integer')) return 'number'
  if (types.includes('number')) return 'amount'
  if ([...variantsOf(shown), ...rule].some(({ format }) => format === 'date')) return 'date'
  if (variantsOf(shown).some(({ format }) => format === 'date-time')) return 'moment'
  if (shown.format === 'uuid') return 'id'
  return rule.some(({ maxLength = 0 }) => maxLength > LONG_TEXT) ? 'longText' : 'text'
}

/** For names that have no text: `serviceFee` → `Service fee`. */
export function labelOf(name: string): string {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `non_profit` → `Non-profit`, `CAD` → `CAD, Canadian Dollar`; others unchanged. */
export function choiceLabel(choice: string): string {
  const currency = /^[A-Z]{3}$/.test(choice) ? currencyNames.of(choice) : undefined
  if (currency !== undefined) return `${choice}, ${currency}`
  const words = /^[a-z_]+$/.test(choice) ? labelOf(choice.replaceAll('_', ' ')) : choice
  return textIfAny(`choice.${choice}`) ?? words
}

/** 0.0001 → 4: how many digits after the point a step allows. */
function decimalsOf(step: ExactNumber): number {
  return String(step).split('.')[1]?.length ?? 0
}
