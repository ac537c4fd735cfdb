import { z } from 'zod'
import type { ApiKeyDetails } from '../../shared/api-keys/administration.ts'
import { KEY_KINDS } from '../../shared/api-keys/evolve.ts'
import { SCOPE_MEANINGS, SCOPES } from '../../shared/api-keys/scopes.ts'
import { choice } from '../../shared/fields/choice.ts'
import { uuidLike } from '../../shared/fields/identifiers.ts'
import { limitText, offsetText } from '../../shared/fields/lists.ts'
import { grouped, typeMessage, type ViolationCode, violate } from '../../shared/fields/rule.ts'
import { text } from '../../shared/fields/text.ts'
import { formatTimestamp, timestampText, upToTimestampText } from '../../shared/fields/timestamp.ts'
import { total } from './fields.ts'

export const apiKeyPath = z.strictObject({
  id: uuidLike.meta({ description: 'The id of the key; not the key itself.' }),
})

export const apiKeyListQuery = z.strictObject({ limit: limitText, offset: offsetText })

const SCOPES_EXPECTED = `a list of one or more of: ${SCOPES.join(', ')}`

/** Each once. Of a longer list than there are scopes the beginning is wrong already, and answers stay small. */
const scopes = z.preprocess(
  (value) => (Array.isArray(value) ? value.slice(0, SCOPES.length + 1) : value),
  z
    .array(choice(SCOPES).meta({ 'x-enumDescriptions': SCOPE_MEANINGS }), { error: typeMessage(SCOPES_EXPECTED) })
    .meta({ minItems: 1, uniqueItems: true })
    .superRefine((value, context) => {
      if (value.length === 0) violate(context, 'required', `Empty. Give ${SCOPES_EXPECTED}.`)
    })
    // Also where one of them is no scope.
    .refine((value) => !Array.isArray(value) || new Set(value).size === value.length, {
      when: () => true,
      error: 'A scope is in it twice. Give each once.',
      params: { violation: 'given_twice' satisfies ViolationCode },
    }),
)

/** The last millisecond of the year 9999: later ones have no form in RFC 3339. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

const expiresAt = upToTimestampText
  .superRefine((value, context) => {
    if (value > LATEST) violate(context, 'out_of_range', 'Out of range. Give a time before the year 10000 in UTC.')
  })
  .nullable()
  .meta({ description: 'From when on the key is refused; must be in the future. null, or left out: never.' })

const LONGEST_GRACE_SECONDS = 30 * 24 * 60 * 60
const GRACE_EXPECTED = `a whole number from 0 to ${grouped(LONGEST_GRACE_SECONDS)} (30 days)`

const graceSeconds = z
  .number({ error: typeMessage(GRACE_EXPECTED) })
  .superRefine((value, context) => {
    if (!Number.isInteger(value) || value < 0 || value > LONGEST_GRACE_SECONDS) {
      violate(context, 'out_of_range', `Out of range. Give ${GRACE_EXPECTED}.`)
    }
  })
  .meta({
    type: 'integer',
    minimum: 0,
    maximum: LONGEST_GRACE_SECONDS,
    description: 'How long the secrets before the new one work on.',
  })

export const newApiKey = z
  .strictObject({ name: text({ min: 1, max: 100 }), scopes, expiresAt: expiresAt.default(null) })
  .meta({ id: 'NewApiKey', examples: [{ name: 'Invoicing', scopes: ['contracts:read', 'clients:read'] }] })

export const rotation = z
  .strictObject({ graceSeconds: graceSeconds.default(0) })
  .meta({ id: 'Rotation', examples: [{ graceSeconds: 3600 }] })

/** What the gateway sets by itself, and refuses on input. */
export const computedApiKeyFields = ['id', 'kind', 'principal', 'createdAt', 'lastUsedAt', 'revokedAt', 'key'] as const

const ID = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
const example = {
  id: ID,
  kind: 'program' as const,
  principal: ID,
  name: 'Invoicing',
  scopes: ['contracts:read' as const, 'clients:read' as const],
  createdAt: '2026-01-31T09:30:00.000Z',
  expiresAt: null,
  lastUsedAt: '2026-02-01T08:00:00.000Z',
  revokedAt: null,
}

/** An API key as REST shows it, without anything of its secret. */
export const apiKeyShape = z
  .object({
    id: z.guid().meta({ description: 'It stays when the key is rotated.' }),
    kind: z
      .enum(KEY_KINDS)
      .meta({ description: 'Whether somebody gave it to a program, or a person got it by signing in.' }),
    principal: z.guid().meta({
      description:
        'Who acts with the key, the `by` of what is written with it: of a program the key’s own id, of a person the same at every sign-in.',
    }),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    createdAt: timestampText,
    expiresAt: timestampText.nullable().meta({ description: 'From when on the key is refused; null: never.' }),
    lastUsedAt: timestampText.nullable().meta({ description: 'Exact to a minute; null: not used yet.' }),
    revokedAt: timestampText
      .nullable()
      .meta({ description: 'Since when the key is refused for good; null: it is not.' }),
  })
  .meta({ id: 'ApiKey', examples: [example] })

const secretExample = 'mint_0000000000000000000000000000000000IQ'

/** The answer that a secret is in: the only one ever. */
export const issuedApiKeyShape = apiKeyShape
  .extend({ key: z.string().meta({ description: 'The secret. It is shown this once: keep it.' }) })
  .meta({ id: 'IssuedApiKey', examples: [{ ...example, lastUsedAt: null, key: secretExample }] })

/** Whose key a request came with. */
export const currentApiKeyShape = apiKeyShape
  .pick({ id: true, kind: true, principal: true, name: true, scopes: true })
  .meta({
    id: 'CurrentApiKey',
    examples: [{ id: ID, kind: example.kind, principal: ID, name: example.name, scopes: example.scopes }],
  })

/** A page of API keys. */
export const apiKeyPage = z
  .object({ apiKeys: z.array(apiKeyShape), total })
  .meta({ id: 'ApiKeyPage', examples: [{ apiKeys: [example], total: 1 }] })

/** A key as REST shows it. */
export function apiKeyRecord(apiKey: ApiKeyDetails): z.output<typeof apiKeyShape> {
  return {
    id: apiKey.id,
    kind: apiKey.kind,
    principal: apiKey.principal,
    name: apiKey.name,
    scopes: [...apiKey.scopes],
    createdAt: formatTimestamp(apiKey.createdAt),
    expiresAt: timestampOrNull(apiKey.expiresAt),
    lastUsedAt: timestampOrNull(apiKey.lastUsedAt),
    revokedAt: timestampOrNull(apiKey.revokedAt),
  }
}

/** A time that may be missing. */
export function timestampOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatTimestamp(milliseconds)
}
