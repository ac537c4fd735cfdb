import type { Api } from '../api/client.ts'
import type { Json } from '../api/json.ts'

/** Display names of clients, by id; each is asked for once as long as a page is open. */
export interface ClientNames {
  /** Asks for those that aren't known yet, all with one request. Without the right to read clients there are none. */
  load(clientIds: readonly string[], signal: AbortSignal): Promise<void>
  /** `''`: there is no such client; undefined: unknown as yet. */
  of(clientId: string): string | undefined
}

export function createClientNames(api: Api): ClientNames {
  const names = new Map<string, string>()
  return {
    of: (clientId) => names.get(clientId),
    async load(clientIds, signal) {
      const missing = [...new Set(clientIds)].filter((clientId) => !names.has(clientId))
      if (missing.length === 0) return
      const { body } = await api.get('clients/names', { query: { clientIds: missing.join(',') }, signal })
      for (const { clientId, displayName } of body.clients as Json[]) names.set(clientId, displayName ?? '')
    },
  }
}
