import { setTimeout as pause } from 'node:timers/promises'
import type { Violation } from '../../../shared/calls/errors.ts'
import { wholeClientName } from '../../../shared/fields/client-fields.ts'
import type { ClientsService } from '../../../shared/gen/mint/contracts/v1/clients.ts'
import type { ImportCalls } from './kinds.ts'
import { violation } from './violations.ts'

/** The clientId of the only client with a name, or what is wrong with the name. */
type FoundClient = { readonly clientId: string } | { readonly wrong: Violation }

/** Names in one question. */
const AT_ONCE = 500
/** How long to retry names that no client has, in milliseconds per file: the topic may lag behind. */
const PATIENCE = 1_000
const PAUSE = 50

/** Finds clients by their whole names; each distinct name is asked for once, except those that no client has yet. */
export function createClientsByName(clients: ClientsService, { context, inTime }: ImportCalls) {
  const found = new Map<string, FoundClient>()
  let patientUntil: number | undefined

  /** Returns the names that no client has. */
  async function askOnce(names: readonly string[]): Promise<readonly string[]> {
    const missing: string[] = []
    for (let first = 0; first < names.length; first += AT_ONCE) {
      const some = names.slice(first, first + AT_ONCE)
      const answer = await inTime(clients.listClientsByName({ names: some }, context()), false)
      for (const [index, name] of some.entries()) {
        const ids = answer.names[index]?.clientIds ?? []
        if (ids.length === 0) missing.push(name)
        found.set(name, onlyOne(ids))
      }
    }
    return missing
  }

  async function ask(names: readonly string[]): Promise<void> {
    let missing = await askOnce(names)
    while (missing.length > 0) {
      patientUntil ??= performance.now() + PATIENCE
      if (performance.now() >= patientUntil) return
      await pause(PAUSE)
      missing = await askOnce(missing)
    }
  }

  return async (names: readonly string[]): Promise<ReadonlyMap<string, FoundClient>> => {
    const unknown = [...new Set(names)].filter((name) => !found.has(name))
    const [possible, impossible] = [unknown.filter(isName), unknown.filter((name) => !isName(name))]
    for (const name of impossible) found.set(name, onlyOne([]))
    await ask(possible)
    return found
  }
}

const isName = (name: string): boolean => wholeClientName.safeParse(name).success

function onlyOne([clientId, ...more]: readonly string[]): FoundClient {
  if (clientId === undefined) return { wrong: violation('/client', 'unknown_client', UNKNOWN) }
  if (more.length > 0) return { wrong: violation('/client', 'ambiguous_client', AMBIGUOUS) }
  return { clientId }
}

const UNKNOWN = 'No client has this name. Correct it, give the clientId, or create the business first.'
const AMBIGUOUS = 'Several clients have this name. Give the clientId of one instead.'
