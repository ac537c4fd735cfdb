import { create, type Rest } from './rest.ts'
import { waitFor } from './wait-for.ts'

/** Creates businesses with these names. Returns their clients' ids once lists and searches find them. */
export async function createClients(call: Rest, ...names: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = []
  for (const legalName of names) ids.push((await create(call, '/businesses', { legalName })).clientId)
  for (const [index, legalName] of names.entries()) {
    const path = `/clients?limit=100&search=${encodeURIComponent(legalName.slice(0, 100))}`
    const isFound = async () =>
      (await call('GET', path)).body.clients.some(({ clientId }: Found) => clientId === ids[index])
    await waitFor(isFound, { what: `the client ${legalName}` })
  }
  return ids
}

interface Found {
  readonly clientId: string
}
