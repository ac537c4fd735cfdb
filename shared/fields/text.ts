import { z } from 'zod'
import { grouped, typeMessage, violate } from './rule.ts'

/**
 * Lengths in Unicode code points; `min` 1 also means: not only white space. `expected` completes "give …" for a text that
 * isn't free.
 */
export interface TextRule {
  readonly min: 0 | 1
  readonly max: number
  readonly expected?: string
}

/** A text that is stored exactly as given: nothing is trimmed or normalised. */
export function text(rule: TextRule) {
  const { min, max, expected = `a string of ${min === 0 ? 'up' : '1'} to ${grouped(max)} characters` } = rule
  return z
    .string({ error: typeMessage(expected) })
    .meta({ minLength: min, maxLength: max, pattern: min === 1 ? VISIBLE_PATTERN : CLEAN_PATTERN })
    .superRefine((value, context) => {
      if (min === 1 && !VISIBLE.test(value)) {
        violate(context, 'blank', `Empty or only white space. Give ${expected}.`)
      }
      checkCharacters(value, context)
      checkLength(value, max, context)
    })
}

/** Refuses what not every engine and transport keeps unchanged: NUL and lone surrogates. */
function checkCharacters(value: string, context: z.core.$RefinementCtx): void {
  if (value.includes('\0') || !value.isWellFormed()) {
    violate(context, 'invalid_characters', 'Contains NUL or half of a surrogate pair. Remove those characters.')
  }
}

/** Refuses a text of more than `max` code points. */
export function checkLength(value: string, max: number, context: z.core.$RefinementCtx): void {
  const length = codePoints(value, max)
  if (length > max) {
    violate(context, 'too_long', `Has ${grouped(length)} characters; at most ${grouped(max)} are allowed. Shorten it.`)
  }
}

const VISIBLE = /[^\s\p{White_Space}]/u

/** The same as portable regular expressions: `\s` differs between languages, and most have no lone surrogates. */
const CLEAN_PATTERN = '^[^\\u0000]*$'
const VISIBLE_PATTERN =
  '^[^\\u0000]*[^\\u0000\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff][^\\u0000]*$'

/**
 * The number of code points; for texts of at most `max` UTF-16 units, the number of those, which is known at once and no
 * lower.
 */
function codePoints(value: string, max: number): number {
  if (value.length <= max) return value.length
  let count = 0
  for (const _ of value) count++
  return count
}
