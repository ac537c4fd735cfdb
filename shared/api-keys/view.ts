import type { AnyViewDefinition, ViewDefinition } from '../event-sourcing/ports/view.ts'
import { createEventReader, foldWith } from '../event-sourcing/upcasting.ts'
import type { ApiKeyEvent } from './events.ts'
import { type ApiKey, evolve, rotated } from './evolve.ts'

const readEvent = createEventReader<ApiKeyEvent>({
  'ApiKeyCreated.v1': true,
  'ApiKeyRotated.v1': true,
  'ApiKeyRevoked.v1': true,
})

/** API keys by id, newest first, including revoked and expired ones. */
export const apiKeysView: ViewDefinition<ApiKey> = {
  name: 'api_keys',
  category: 'api-key',
  idOrder: 'text',
  createdAt: (apiKey) => apiKey.createdAt,
  filters: { principal: (apiKey) => apiKey.principal },
  searchTexts: [],
  fold: foldWith(readEvent, evolve, [rotated]),
}

/** The views that the gateway's database is opened with. */
export const apiKeyViews: readonly AnyViewDefinition[] = [apiKeysView]
