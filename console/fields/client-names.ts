import type { Api } from '../api/client.ts'

interface Named {
  readonly clientId: string
  readonly displayName: string | null
}

/** Display names of clients, by id; each is asked for once as long as a page is open. */
export interface ClientNames {
  /**
   * Asks for those that aren't known yet: all with one request, or as they were at a moment when each had a contract.
   * Without the right to read them there are none.
   */
  load(clientIds: readonly string[], asOf?: string): Promise<void>
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

  async function named(clientIds: readonly string[]): Promise<readonly Named[]> {
    return (await api.get('clients/names', { query: { clientIds: clientIds.join(',') }, signal })).body.clients
  }

  /** A report has the names of its moment. */
  async function namedAsOf(clientId: string, asOf: string): Promise<Named> {
    const query = { groupBy: 'clientId', clientId, asOf }
    const [row] = (await api.get('reports/contracts', { query, signal })).body.rows
    return { clientId, displayName: row?.displayName ?? null }
  }

  return {
    of: (clientId) => names.get(clientId),
    note: (clientId, name) => void names.set(clientId, name),
    async load(clientIds, asOf) {
      const missing = [...new Set(clientIds)].filter((clientId) => !names.has(clientId))
      if (missing.length === 0) return
      const found = asOf === undefined ? named(missing) : Promise.all(missing.map((id) => namedAsOf(id, asOf)))
      // Ids are shown in place of names that can't be had.
      for (const { clientId, displayName } of await found.catch(() => [])) names.set(clientId, displayName ?? '')
      update()
    },
  }
}
