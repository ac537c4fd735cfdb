import { z } from 'zod'
import { typeMessage, violate } from './rule.ts'

const UUID_EXPECTED = 'a UUID: 8-4-4-4-12 hexadecimal digits'

const UUID_LIKE = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/

/** Any 8-4-4-4-12 hexadecimal text, whatever its version and case. Comes out in lower case. */
export const uuidLike = z
  .string({ error: typeMessage(UUID_EXPECTED) })
  .meta({ format: 'uuid', pattern: UUID_LIKE.source })
  .superRefine((value, context) => {
    if (!UUID_LIKE.test(value)) violate(context, 'invalid_uuid', `Not a UUID. Give ${UUID_EXPECTED}.`)
  })
  .transform((value) => value.toLowerCase())

/** Who did something, as events have it: a UUID in lower case, or a name, which stays as it is. */
export const principal = z.string().transform((value) => (UUID_LIKE.test(value) ? value.toLowerCase() : value))

/** How the records of a kind are identified. */
export interface IdRule<Id = string | number> {
  /** As proto has it. */
  readonly rule: z.ZodType<Id>
  /** As written in a path or query. */
  readonly text: z.ZodType<Id>
  /** Of that in a path. */
  readonly description: string
}

/** By a UUID that the service makes. */
export const uuidOf = (one: string): IdRule<string> => ({
  rule: uuidLike,
  text: uuidLike,
  description: `The id of the ${one}, in any case.`,
})

const MAX_UUIDS = 100
const UUIDS_EXPECTED = `1 to ${MAX_UUIDS} UUIDs, separated by commas`

/** Several of them as a query parameter. */
export const uuidsText = z
  .string({ error: typeMessage(UUIDS_EXPECTED) })
  .meta({ pattern: `^${bare(UUID_LIKE)}(,${bare(UUID_LIKE)}){0,${MAX_UUIDS - 1}}$` })
  .transform((text, context) => {
    const uuids = text.split(',')
    if (!uuids.every((uuid) => UUID_LIKE.test(uuid))) {
      violate(context, 'invalid_uuid', `Not a list of UUIDs. Give ${UUIDS_EXPECTED}.`)
    } else if (uuids.length > MAX_UUIDS) {
      violate(context, 'out_of_range', `Too many. Give ${UUIDS_EXPECTED}.`)
    }
    return uuids.map((uuid) => uuid.toLowerCase())
  })

/** A pattern without its anchors. */
function bare({ source }: RegExp): string {
  return source.slice(1, -1)
}

const NUMBER_EXPECTED = 'a contract number: a whole number from 1 to 9,007,199,254,740,991'

/** A contract's number, as proto has it. */
export const contractNumber = z.number({ error: typeMessage(NUMBER_EXPECTED) }).superRefine((value, context) => {
  if (!Number.isSafeInteger(value) || value < 1) {
    violate(context, 'invalid_id', `Not a contract number. Give ${NUMBER_EXPECTED}.`)
  }
})

/** A contract's number as written in a path. Results in a number. */
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
