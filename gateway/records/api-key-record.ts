import { z } from 'zod'
import type { ApiKeyDetails } from '../../shared/api-keys/administration.ts'
import { KEY_KINDS } from '../../shared/api-keys/evolve.ts'
import { SCOPE_MEANINGS, SCOPES } from '../../shared/api-keys/scopes.ts'
import type { Caller } from '../../shared/api-keys/serving/api-keys.ts'
import { choice } from '../../shared/fields/choice.ts'
import { recordExampleOf, recordShapeOf, type ShownTable, toRecordBy } from '../../shared/fields/field-table.ts'
import { uuidLike } from '../../shared/fields/identifiers.ts'
import { grouped, typeMessage, violate } from '../../shared/fields/rule.ts'
import { text } from '../../shared/fields/text.ts'
import { upToTimestampText } from '../../shared/fields/timestamp.ts'
import { listOf, pageOf, time, timeOrNull } from './fields.ts'

export const apiKeyPath = z.strictObject({
  id: uuidLike.meta({ description: 'The id of the key; not the key itself.' }),
})

const SCOPES_EXPECTED = `a list of one or more of: ${SCOPES.join(', ')}`

const scope = choice(SCOPES).meta({ id: 'Scope', 'x-enumDescriptions': SCOPE_MEANINGS })

const scopes = listOf('scope', scope, SCOPES_EXPECTED)
  .superRefine((value, context) => {
    if (value.length === 0) violate(context, 'required', `Empty. Give ${SCOPES_EXPECTED}.`)
  })
  .meta({ minItems: 1 })

const expiresAt = upToTimestampText
  .nullable()
  .meta({ description: 'When the key expires; must be in the future. null or absent: never.' })

const MAX_GRACE_SECONDS = 30 * 24 * 60 * 60
const GRACE_EXPECTED = `a whole number from 0 to ${grouped(MAX_GRACE_SECONDS)} (30 days)`

const graceSeconds = z
  .number({ error: typeMessage(GRACE_EXPECTED) })
  .superRefine((value, context) => {
    if (!Number.isInteger(value) || value < 0 || value > MAX_GRACE_SECONDS) {
      violate(context, 'out_of_range', `Out of range. Give ${GRACE_EXPECTED}.`)
    }
  })
  .meta({
    type: 'integer',
    minimum: 0,
    maximum: MAX_GRACE_SECONDS,
    description: 'How long earlier secrets stay valid.',
  })

export const newApiKey = z
  .strictObject({ name: text({ min: 1, max: 100 }), scopes, expiresAt: expiresAt.default(null) })
  .meta({ id: 'ApiKeyCreation', examples: [{ name: 'Invoicing', scopes: ['contracts:read', 'clients:read'] }] })

export const rotation = z
  .strictObject({ graceSeconds: graceSeconds.default(0) })
  .meta({ id: 'Rotation', examples: [{ graceSeconds: 3600 }] })

/** Fields that the gateway sets itself, and refuses on input. */
export const computedApiKeyFields = ['id', 'kind', 'principal', 'createdAt', 'lastUsedAt', 'revokedAt', 'key'] as const

const ID = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'

/** The key that a request was sent with. */
const callerFields = {
  id: { shown: z.guid().meta({ description: 'Stays the same when the key is rotated.' }), example: ID },
  kind: {
    shown: z.enum(KEY_KINDS).meta({ description: 'Whether it is the key of a program, or of a person who signed in.' }),
    example: 'program',
  },
  principal: {
    shown: z.guid().meta({
      description:
        'Who acts with the key, and the `by` of what is written with it: for a program the key’s own id, for a person the same at every sign-in.',
    }),
    example: ID,
  },
  name: { shown: z.string(), example: 'Invoicing' },
  scopes: { shown: z.array(z.enum(SCOPES)), example: ['contracts:read', 'clients:read'] },
} satisfies ShownTable<Caller>

const apiKeyFields = {
  ...callerFields,
  createdAt: time('2026-01-31T09:30:00.000Z'),
  expiresAt: timeOrNull(null, 'From when on the key is refused; null: never.'),
  lastUsedAt: timeOrNull('2026-02-01T08:00:00.000Z', 'Exact to a minute; null: not used yet.'),
  revokedAt: timeOrNull(null, 'When the key was revoked; null: it is not revoked.'),
} satisfies ShownTable<ApiKeyDetails>

/** An API key as REST shows it, without anything of its secret. */
export const apiKeyShape = recordShapeOf(apiKeyFields, 'ApiKey')
const example = recordExampleOf(apiKeyFields)

const secretExample = 'mint_0000000000000000000000000000000000IQ'

/** The only answer that ever contains the secret. */
export const issuedApiKeyShape = apiKeyShape
  .extend({ key: z.string().meta({ description: 'The secret. It is shown only once: store it.' }) })
  .meta({ id: 'IssuedApiKey', examples: [{ ...example, lastUsedAt: null, key: secretExample }] })

export const currentApiKeyShape = recordShapeOf(callerFields, 'CurrentApiKey')

/** A page of API keys. */
export const apiKeyPage = pageOf('ApiKeyPage', 'apiKeys', apiKeyShape, example)

/** A key as REST shows it. */
export const apiKeyRecord = toRecordBy<ApiKeyDetails>(apiKeyFields) as (
  apiKey: ApiKeyDetails,
) => z.output<typeof apiKeyShape>

/** The key that a request was sent with, as REST shows it. */
export const currentApiKeyRecord = toRecordBy<Caller>(callerFields)
