import { z } from 'zod'
import { grouped, typeMessage, type ViolationCode, violate } from './rule.ts'
import { text } from './text.ts'
import { fromTimestampText, timestamp } from './timestamp.ts'

/** A whole number with its bounds and its default. */
interface CountRule {
  readonly min: number
  readonly max: number
  readonly default: number
}

const LIMIT: CountRule = { min: 1, max: 100, default: 50 }
/** The limit of a report's rows. */
const ROWS: CountRule = { min: 1, max: 1_000, default: 100 }
const OFFSET: CountRule = { min: 0, max: 1_000_000_000, default: 0 }

/** How many records a list returns at most, in a message: 0 (absent) results in the default. */
export const limit = count({ ...LIMIT, min: 0 }).transform((value) => value || LIMIT.default)

/** How many rows a report returns at most, in a message: 0 (absent) results in the default. */
export const rowsLimit = count({ ...ROWS, min: 0 }).transform((value) => value || ROWS.default)

/** How many records a list skips, in a message. */
export const offset = count(OFFSET)

/** `limit` as a query parameter: decimal digits only. Results in a number. */
export const limitText = countText(LIMIT)
  .default(LIMIT.default)
  .meta({ default: LIMIT.default, description: 'How many records to return at most.' })

/** The `limit` of a report's rows as a query parameter: decimal digits only. Results in a number. */
export const rowsLimitText = countText(ROWS)
  .default(ROWS.default)
  .meta({ default: ROWS.default, description: 'How many rows to return at most.' })

/** `offset` as a query parameter: decimal digits only. Results in a number. */
export const offsetText = countText(OFFSET)
  .default(OFFSET.default)
  .meta({ default: OFFSET.default, description: 'How many records to skip.' })

/** `limit` without a default: absent means no limit. */
export const limitTextOrNone = countText(LIMIT)
  .optional()
  .meta({ description: 'How many records to return at most; if absent, all that match.' })

/** `offset` without a default, to tell whether it was given: it can't be combined with `after`. */
export const offsetTextOrNone = countText(OFFSET).optional()

/** A number of seconds as a query parameter, up to `max`; 0 when absent. */
export const secondsText = (max: number) => countText({ min: 0, max, default: 0 }).default(0).meta({ default: 0 })

/** The text to find; `""` finds all. */
export const search = text({ min: 0, max: 200 })

/** Refuses `after` together with an `offset`, whatever else is wrong. `none`: the value of an offset that was not given. */
export function notBesideOffset<Schema extends z.ZodObject>(
  list: Schema,
  { none }: { readonly none?: 0 } = {},
): Schema {
  return list.superRefine(
    ({ after, offset }, context) => {
      if (after === undefined || offset === none) return
      const message = 'Not together with offset. Leave one of them out.'
      const params = { violation: 'not_together' satisfies ViolationCode }
      context.addIssue({ code: 'custom', path: ['after'], message, params })
    },
    { when: () => true },
  )
}

/** The message that requests a list, with these filters; `id`: the rule of a record's id. */
export function listRequest<Filters extends z.ZodRawShape, Id extends z.ZodType>(filters: Filters, id: Id) {
  const page = { limit, offset, after: id.optional(), withoutTotal: z.boolean().optional() }
  return notBesideOffset(z.object({ search, updatedSince: timestamp.optional(), ...filters, ...page }), { none: 0 })
}

function count(rule: CountRule) {
  const expected = expectedCount(rule)
  return z.number({ error: typeMessage(expected) }).superRefine((value, context) => {
    if (!Number.isInteger(value) || value < rule.min || value > rule.max) {
      violate(context, 'out_of_range', `Out of range. Give ${expected}.`)
    }
  })
}

function countText(rule: CountRule) {
  const expected = `${expectedCount(rule)}, in decimal digits`
  return z
    .string({ error: typeMessage(expected) })
    .meta({ type: 'integer', minimum: rule.min, maximum: rule.max })
    .transform((value, context) => {
      if (!/^\d+$/.test(value)) {
        violate(context, 'invalid_number', `Not a number in decimal digits. Give ${expected}.`)
        return z.NEVER
      }
      const number = Number(value)
      if (number < rule.min || number > rule.max) violate(context, 'out_of_range', `Out of range. Give ${expected}.`)
      return number
    })
}

function expectedCount({ min, max }: CountRule): string {
  return `a whole number from ${min} to ${grouped(max)}`
}

/** Documents how a search in these fields works. */
export const wordsIn = (searched: string): string =>
  `words in any order, each of which must occur somewhere in ${searched}. Case, accents and typographic apostrophes, quotes and dashes don’t matter, and no character is a wildcard.`

/** Documents how a filter compares whole values. */
export const WHOLE_VALUE = '; the whole value must match, ignoring case, accents and white space at both ends'

/** The filters of every list of records that callers edit. */
export const commonFilters = (searched: string) => ({
  search: search.default('').meta({ description: `Only records found by this search: ${wordsIn(searched)}` }),
  updatedSince: fromTimestampText.optional().meta({
    description:
      'Only records last changed at this moment or later. In a URL, write the + of an offset as %2B. Digits finer than milliseconds count; a leap second counts as the second after it.',
  }),
})
