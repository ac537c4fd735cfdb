import type { RecordJson } from '../api/json.ts'
import type { PageContext } from '../frame/page.ts'

/** Enough to find what a client has every month, and as many as the API gives at once. */
const LAST = 100
/** As many service types as anybody scrolls through; the ones with the highest sums. */
const MOST_TYPES = 1_000

/** The last contracts of clients, and the service types in use; each is asked for once as long as a page is open. */
export function createUsual({ api, signal, update }: Pick<PageContext, 'api' | 'signal' | 'update'>) {
  const contracts = new Map<string, readonly RecordJson[] | undefined>()
  let types: readonly string[] | undefined

  /** Without an answer, or without the right to one, nothing is proposed. */
  async function listOf(path: string, query: Readonly<Record<string, string | number>>, list: string) {
    const answer = await api.get(path, { query, signal }).catch(() => undefined)
    const rows: readonly RecordJson[] = answer?.body[list] ?? []
    return rows
  }

  async function loadContracts(clientId: string): Promise<void> {
    contracts.set(clientId, undefined)
    contracts.set(clientId, await listOf('contracts', { clientId, limit: LAST }, 'contracts'))
    update()
  }

  async function loadTypes(): Promise<void> {
    types = []
    const rows = await listOf('reports/contracts', { groupBy: 'serviceType', limit: MOST_TYPES }, 'rows')
    types = rows.map(({ serviceType }) => serviceType)
    update()
  }

  return {
    /** Newest first; none until they are loaded. */
    contractsOf(clientId: string): readonly RecordJson[] {
      if (clientId !== '' && !contracts.has(clientId)) void loadContracts(clientId)
      return contracts.get(clientId) ?? []
    },
    types(): readonly string[] {
      if (types === undefined) void loadTypes()
      return types ?? []
    },
  }
}

export type Usual = ReturnType<typeof createUsual>
