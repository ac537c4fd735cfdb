import { z } from 'zod'
import { typeMessage } from './rule.ts'

/** One of a few words, exactly as written here. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  const expected = words.length === 1 ? `"${words[0]}"` : `one of: ${words.join(', ')}`
  return z.enum(words, {
    error: (issue) =>
      typeof issue.input === 'string' ? `Not an allowed value. Give ${expected}.` : typeMessage(expected)(issue),
  })
}

/** A query parameter that is on or off; absent: off. Results in a boolean. */
export const flagText = choice(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()
