import type { Api } from '../api/client.ts'
import type { Json } from '../api/json.ts'

/** Display names of clients, by id; each is asked for once as long as a page is open. */
export interface ClientNames {
  /** Asks for those that aren't known yet, all with one request. Without the right to read clients there are none. */
  load(clientIds: readonly string[]): Promise<void>
  /** `''`: there is no such client; undefined: unknown as yet. */
  of(clientId: string): string | undefined
  /** Notes a name that another answer told. */
  note(clientId: string, name: string): void
}

export function createClientNames(
  api: Api,
  { signal, update }: { readonly signal: AbortSignal; readonly update: () => void },
): ClientNames {
  const names = new Map<string, string>()
  return {
    of: (clientId) => names.get(clientId),
    note: (clientId, name) => void names.set(clientId, name),
    async load(clientIds) {
      const missing = [...new Set(clientIds)].filter((clientId) => !names.has(clientId))
      if (missing.length === 0) return
      const answer = await api.get('clients/names', { query: { clientIds: missing.join(',') }, signal }).catch(none)
      for (const { clientId, displayName } of answer.body.clients as Json[]) names.set(clientId, displayName ?? '')
      update()
    },
  }
}

/** Ids are shown in place of names that can't be had. */
const none = () => ({ body: { clients: [] } })
