import { waitFor } from '../../support/wait-for.ts'
import type { Client } from './client.ts'
import type { Get } from './end-state.ts'
import type { KnownBusiness } from './known-records.ts'

/** For how many of each business's versions reports are read. */
const MAX_TIMES = 400
/** How long all Clients may take to catch up with the topic after the last fault, in milliseconds. */
const CATCH_UP_TIMEOUT = 120_000

/** Reads the names that each renamed business had, and those that reports show as of then. */
export async function recordNames({ known, record, random, now }: Client, get: Get): Promise<void> {
  const end = now() + CATCH_UP_TIMEOUT
  for (const { id, clientId } of known.businesses) {
    const names = await namesOf(id, get)
    // If it times out, the newest names are missing, which the check reports.
    await waitFor(async () => (await listedName(clientId, get)) === names.at(-1)?.name, {
      timeout: end - now(),
      what: `client ${clientId} to follow its business`,
      every: 100,
    }).catch(() => undefined)
    const times = names.map(({ at }) => at)
    const asked = times.length <= MAX_TIMES ? times : Array.from({ length: MAX_TIMES }, () => random.pick(times))
    const shown = []
    for (const asOf of asked) {
      const path = `/reports/contracts?groupBy=clientId&clientId=${clientId}&asOf=${new Date(asOf).toISOString()}`
      const [row] = (await get(path)).body.rows
      if (row !== undefined) shown.push({ asOf, name: row.displayName })
    }
    record({ type: 'client-names', clientId, names, shown })
  }
}

const listedName = async (clientId: string, get: Get): Promise<string | null> =>
  (await get(`/clients/names?clientIds=${clientId}`)).body.clients[0].displayName

async function namesOf(id: KnownBusiness['id'], get: Get) {
  const names: { at: number; name: string }[] = []
  for (;;) {
    const { body } = await get(`/businesses/${id}/history?limit=100&offset=${names.length}`)
    if (body.events.length === 0) return names
    for (const { at, data } of body.events) {
      names.push({ at: Date.parse(at), name: data.operatedAs ?? names.at(-1)?.name })
    }
  }
}
