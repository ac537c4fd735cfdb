import { z } from 'zod'
import type { ApiKeyDetails } from '../../shared/api-keys/details.ts'
import { SCOPES } from '../../shared/api-keys/scopes.ts'
import { formatTimestamp, timestampText } from '../../shared/fields/shown-timestamp.ts'
import { total } from './fields.ts'

const example = {
  id: '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
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
    id: z
      .guid()
      .meta({ description: 'Also the `by` of what is written with the key; it stays when the key is rotated.' }),
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
  .pick({ id: true, name: true, scopes: true })
  .meta({ id: 'CurrentApiKey', examples: [{ id: example.id, name: example.name, scopes: example.scopes }] })

/** A page of API keys. */
export const apiKeyPage = z
  .object({ apiKeys: z.array(apiKeyShape), total })
  .meta({ id: 'ApiKeyPage', examples: [{ apiKeys: [example], total: 1 }] })

/** A key as REST shows it. */
export function apiKeyRecord(apiKey: ApiKeyDetails): z.output<typeof apiKeyShape> {
  return {
    id: apiKey.id,
    name: apiKey.name,
    scopes: [...apiKey.scopes],
    createdAt: formatTimestamp(apiKey.createdAt),
    expiresAt: timestampOrNull(apiKey.expiresAt),
    lastUsedAt: timestampOrNull(apiKey.lastUsedAt),
    revokedAt: timestampOrNull(apiKey.revokedAt),
  }
}

function timestampOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatTimestamp(milliseconds)
}
