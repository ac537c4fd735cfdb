import { z } from 'zod'
import { typeMessage, type ViolationCode } from '../../shared/fields/rule.ts'
import { formatTimestamp, timestampText } from '../../shared/fields/timestamp.ts'

/** How many records match, regardless of limit, offset and after. */
export const total = z
  .int()
  .min(0)
  .meta({ description: 'How many match in all, regardless of `limit`, `offset` and `after`.' })

/** Who made a change: the `by` of histories, the `actor` of events. */
export const author = z
  .string()
  .meta({ description: 'Who did it: the `principal` of the API key, or the name that a process of Mint gave.' })

export const authorName = z.string().nullable().meta({ description: 'Their name; null when it is unknown.' })

/** A page of a list, with its records under `many`. */
export const pageOf = (id: string, many: string, shape: z.ZodType, example: object) =>
  z.object({ [many]: z.array(shape), total }).meta({ id, examples: [{ [many]: [example], total: 1 }] })

/**
 * A list of known words, each once; `one`: what a word is. A longer list than there are words is cut: what is left is
 * still invalid, and answers stay small.
 */
export function listOf<Word extends z.ZodEnum>(one: string, word: Word, expected: string) {
  return z.preprocess(
    (value) => (Array.isArray(value) ? value.slice(0, word.options.length + 1) : value),
    z
      .array(word, { error: typeMessage(expected) })
      .meta({ uniqueItems: true })
      // Also if one of them isn't known.
      .refine((value) => !Array.isArray(value) || new Set(value).size === value.length, {
        when: () => true,
        error: `A ${one} is in it twice. Give each once.`,
        params: { violation: 'given_twice' satisfies ViolationCode },
      }),
  )
}

/** A time, in milliseconds since the epoch. */
export const time = (example: string, shown = timestampText) => ({ shown, toJson: formatTimestamp, example })

/** A time that may be missing. */
export function timeOrNull(example: string | null, description?: string) {
  const shown = timestampText.nullable()
  return {
    shown: description === undefined ? shown : shown.meta({ description }),
    toJson: (milliseconds: number | null) => (milliseconds === null ? null : formatTimestamp(milliseconds)),
    example,
  }
}
