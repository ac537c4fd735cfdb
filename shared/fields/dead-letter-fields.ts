import { z } from 'zod'
import { typeMessage, violate } from './rule.ts'

const ID = /^[0-9a-f]{12}$/
const ID_EXPECTED = 'the id of a dead letter: 12 hexadecimal digits in lower case'
const MAX_IDS = 100

const deadLetterId = z
  .string({ error: typeMessage(ID_EXPECTED) })
  .meta({ pattern: ID.source, examples: ['3f9a0c11d2e4'] })
  .superRefine((value, context) => {
    if (!ID.test(value)) violate(context, 'invalid_id', `Not an id of a dead letter. Give ${ID_EXPECTED}.`)
  })

/** The ids of at least `min` dead letters. A list that is too long is cut before it is checked, to keep the answer small. */
export function deadLetterIds(min: 0 | 1) {
  const expected = `a list of ${min} to ${MAX_IDS} ids of dead letters`
  return z.preprocess(
    (value) => (Array.isArray(value) ? value.slice(0, MAX_IDS + 1) : value),
    z
      .array(deadLetterId, { error: typeMessage(expected) })
      .meta({ minItems: min, maxItems: MAX_IDS })
      .superRefine((value, context) => {
        if (value.length < min || value.length > MAX_IDS) {
          violate(context, 'out_of_range', `Out of range. Give ${expected}.`)
        }
      }),
  )
}
