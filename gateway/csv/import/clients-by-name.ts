import { setTimeout as pause } from 'node:timers/promises'
import type { Violation } from '../../../shared/calls/errors.ts'
import { wholeClientName } from '../../../shared/fields/client-fields.ts'
import type { ClientsService } from '../../../shared/gen/mint/contracts/v1/clients.ts'
import type { ImportCalls } from './csv-import.ts'
import { violation } from './violations.ts'

/** The clientId of the only client with a name, or what is wrong with the name. */
type FoundClient = { readonly clientId: string } | { readonly violation: Violation }

const NAMES_PER_CALL = 500
/** How long to retry names that no client has, per file: the topic may lag behind. */
const RETRY_MILLISECONDS = 1_000
const PAUSE_MILLISECONDS = 50

/** Finds clients by their whole names; each name is requested once, except those that no client has yet. */
export function createClientsByName(clients: ClientsService, { context, inTime }: ImportCalls) {
  const found = new Map<string, FoundClient>()
  let retryUntil: number | undefined

  /** Returns the names that no client has. */
  async function findOnce(names: readonly string[]): Promise<readonly string[]> {
    const missing: string[] = []
    for (let first = 0; first < names.length; first += NAMES_PER_CALL) {
      const some = names.slice(first, first + NAMES_PER_CALL)
      const answer = await inTime(clients.listClientsByName({ names: some }, context()), false)
      for (const [index, name] of some.entries()) {
        const ids = answer.names[index]?.clientIds ?? []
        if (ids.length === 0) missing.push(name)
        found.set(name, onlyOne(ids))
      }
    }
    return missing
  }

  async function findAll(names: readonly string[]): Promise<void> {
    let missing = await findOnce(names)
    while (missing.length > 0) {
      retryUntil ??= performance.now() + RETRY_MILLISECONDS
      if (performance.now() >= retryUntil) return
      await pause(PAUSE_MILLISECONDS)
      missing = await findOnce(missing)
    }
  }

  return async (names: readonly string[]): Promise<ReadonlyMap<string, FoundClient>> => {
    const unknown = [...new Set(names)].filter((name) => !found.has(name))
    const [possible, impossible] = [unknown.filter(isName), unknown.filter((name) => !isName(name))]
    for (const name of impossible) found.set(name, onlyOne([]))
    await findAll(possible)
    return found
  }
}

const isName = (name: string): boolean => wholeClientName.safeParse(name).success

function onlyOne([clientId, ...more]: readonly string[]): FoundClient {
  if (clientId === undefined) return { violation: violation('/client', 'unknown_client', UNKNOWN) }
  if (more.length > 0) return { violation: violation('/client', 'ambiguous_client', AMBIGUOUS) }
  return { clientId }
}

const UNKNOWN = 'No client has this name. Correct it, give the clientId, or create the business first.'
const AMBIGUOUS = 'Several clients have this name. Give the clientId of one instead.'
