import type { PageContext } from '../frame/page.ts'

interface Named {
  readonly clientId: string
  readonly displayName: string | null
}

/** The most ids that the API takes at once. */
const MAX_IDS = 100

/** Display names of clients, by id; each is requested once while a page is open, even if that fails. */
export function createClientNames({ api, signal, update }: PageContext) {
  const names = new Map<string, string>()
  // Every render requests the names that are missing: without the right to read them, that would never end.
  const requested = new Set<string>()

  async function named(clientIds: readonly string[]): Promise<readonly Named[]> {
    const requests: Promise<{ readonly clients: readonly Named[] }>[] = []
    for (let start = 0; start < clientIds.length; start += MAX_IDS) {
      const some = clientIds.slice(start, start + MAX_IDS).join(',')
      requests.push(api.get('clients/names', { query: { clientIds: some }, signal }))
    }
    return (await Promise.all(requests)).flatMap(({ clients }) => clients)
  }

  /** A report has the names of its moment. */
  async function namedAsOf(clientId: string, asOf: string): Promise<Named> {
    const query = { groupBy: 'clientId', clientId, asOf }
    const [row] = (await api.get('reports/contracts', { query, signal })).rows
    return { clientId, displayName: row?.displayName ?? null }
  }

  return {
    /** `''`: there is no such client; undefined: not known yet. */
    of: (clientId: string) => names.get(clientId),
    /** Notes a name from another answer. */
    note: (clientId: string, name: string) => void names.set(clientId, name),
    /**
     * Requests names that weren't requested yet: all together, or as of a moment when each client had a contract.
     * Without the right to read clients there are none.
     */
    async load(clientIds: readonly string[], asOf?: string): Promise<void> {
      const missing = [...new Set(clientIds)].filter((clientId) => !names.has(clientId) && !requested.has(clientId))
      if (missing.length === 0) return
      for (const clientId of missing) requested.add(clientId)
      const found = asOf === undefined ? named(missing) : Promise.all(missing.map((id) => namedAsOf(id, asOf)))
      // Ids are shown in place of names that can't be read.
      for (const { clientId, displayName } of await found.catch(() => [])) names.set(clientId, displayName ?? '')
      update()
    },
  }
}

export type ClientNames = ReturnType<typeof createClientNames>
