import { z } from 'zod'
import { typeMessage, violate } from './rule.ts'

const UUID_EXPECTED = 'a UUID: 8-4-4-4-12 hexadecimal digits'

const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
const UUID_LIKE = new RegExp(`^${UUID}$`)

/** Any 8-4-4-4-12 hexadecimal text, of any version and case. Results in lower case. */
export const uuidLike = z
  .string({ error: typeMessage(UUID_EXPECTED) })
  .meta({ format: 'uuid' })
  .superRefine((value, context) => {
    if (!UUID_LIKE.test(value)) violate(context, 'invalid_uuid', `Not a UUID. Give ${UUID_EXPECTED}.`)
  })
  .transform((value) => value.toLowerCase())

/** The author of events: a UUID, which results in lower case, or a name, which stays as it is. */
export const principal = z.string().transform((value) => (UUID_LIKE.test(value) ? value.toLowerCase() : value))

/** How the records of a kind are identified. */
export interface IdRule<Id = string | number> {
  /** For an id in a message. */
  readonly rule: z.ZodType<Id>
  /** For an id in a path or query. */
  readonly text: z.ZodType<Id>
  /** Describes the path parameter. */
  readonly description: string
}

/** The rules of UUIDs made by the service. */
export const uuidIdOf = (one: string): IdRule<string> => ({
  rule: uuidLike,
  text: uuidLike,
  description: `The id of the ${one}, in any case.`,
})

const MAX_UUIDS = 100
const UUIDS_EXPECTED = `1 to ${MAX_UUIDS} UUIDs, separated by commas without spaces`

/** Several UUIDs as a query parameter. */
export const uuidsText = z
  .string({ error: typeMessage(UUIDS_EXPECTED) })
  .meta({ pattern: `^${UUID}(,${UUID}){0,${MAX_UUIDS - 1}}$` })
  .transform((text, context) => {
    const uuids = text.split(',')
    if (!uuids.every((uuid) => UUID_LIKE.test(uuid))) {
      violate(context, 'invalid_uuid', `Not a list of UUIDs. Give ${UUIDS_EXPECTED}.`)
    } else if (uuids.length > MAX_UUIDS) {
      violate(context, 'out_of_range', `Too many. Give ${UUIDS_EXPECTED}.`)
    }
    return uuids.map((uuid) => uuid.toLowerCase())
  })

const NUMBER_EXPECTED = 'a contract number: a whole number from 1 to 9,007,199,254,740,991'

/** A contract's number in a message. */
export const contractNumber = z.number({ error: typeMessage(NUMBER_EXPECTED) }).superRefine((value, context) => {
  if (!Number.isSafeInteger(value) || value < 1) {
    violate(context, 'invalid_id', `Not a contract number. Give ${NUMBER_EXPECTED}.`)
  }
})

/** A contract's number in a path or query. Results in a number. */
export const contractNumberText = z
  .string({ error: typeMessage(NUMBER_EXPECTED) })
  .meta({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
  .transform((value) => (CONTRACT_NUMBER.test(value) ? Number(value) : Number.NaN))
  .superRefine((value, context) => {
    if (!Number.isSafeInteger(value)) {
      violate(context, 'invalid_id', `Not a contract number. Give ${NUMBER_EXPECTED}, without leading zeros.`)
    }
  })

const CONTRACT_NUMBER = /^[1-9][0-9]{0,15}$/
