import { createBusinessesApp } from '../../services/businesses/service.ts'
import { idOf, replayLetter } from '../../services/contracts/client/dead-letters.ts'
import { createContractsApp } from '../../services/contracts/service.ts'
import { newUuid } from '../../shared/calls/ids.ts'
import { identityOf } from '../../shared/event-sourcing/ports/dead-letters.ts'
import type { TopicHandler } from '../../shared/event-sourcing/ports/topic.ts'
import { createLogger } from '../../shared/runtime/log/logger.ts'
import { CommandFailure } from '../exit.ts'
import type { Parts } from './parts.ts'
import type { Report } from './report.ts'

/** More than anybody reads. */
const LIMIT = 100_000

/** A message that the contracts service could not understand or confirm. */
export interface ListedLetter {
  /** Identifies the letter in `replay`: 12 hexadecimal digits. */
  readonly id: string
  readonly topic: string
  readonly key: string
  readonly type: string
  readonly reason: string
  /** When it was set aside, RFC 3339. */
  readonly at: string
  /** The message's value as received. */
  readonly value: string
}

/** The dead letters, oldest first. */
export async function* listDeadLetters({ contracts }: Parts, _input: object): AsyncGenerator<ListedLetter> {
  for (const letter of await contracts.deadLetters.list(LIMIT)) {
    const { topic, message, reason, at } = letter
    const { key, value, headers } = message
    yield { id: idOf(letter), topic, key, type: headers.ce_type, reason, at: new Date(at).toISOString(), value }
  }
}

interface ReplayedLetter {
  readonly id: string
  readonly outcome: 'handled' | 'set aside again' | 'too large'
}

/** Handles one dead letter, or all, as the contracts service does: see replayLetter. Throws CommandFailure. */
export async function* replayDeadLetters(
  parts: Pick<Parts, 'businesses' | 'contracts'>,
  { id }: { readonly id?: string | undefined },
  report: Report,
): AsyncGenerator<ReplayedLetter> {
  const { deadLetters } = parts.contracts
  const letters = (await deadLetters.list(LIMIT)).filter((letter) => id === undefined || idOf(letter) === id)
  if (id !== undefined && letters.length === 0) throw new CommandFailure(`No message ${id} is set aside.`)
  let done = 0
  for (const [topic, own] of Map.groupBy(letters, (letter) => letter.topic)) {
    const handle = handlerOf(parts, topic)
    for (const letter of own) {
      const isWhole = await replayLetter(letter, { deadLetters, handle })
      const isBack = isWhole && (await deadLetters.find(identityOf(letter))) !== undefined
      yield { id: idOf(letter), outcome: isBack ? 'set aside again' : isWhole ? 'handled' : 'too large' }
      report('replaying', ++done, letters.length)
    }
  }
}

/** Handles messages as the contracts service does. `topic`: where they are from, if they are set aside again. */
function handlerOf({ businesses, contracts }: Pick<Parts, 'businesses' | 'contracts'>, topic: string): TopicHandler {
  const common = { clock: Date.now, logger: createLogger({ name: 'mint', level: 'error' }) }
  const services = createBusinessesApp({ ...common, database: businesses, newId: newUuid })
  const ofBusinesses = { businesses: services.businesses, businessesRelay: services.relay }
  const app = createContractsApp({ ...common, ...ofBusinesses, database: contracts, topic, requireKnownClient: false })
  return app.handleBusinessEvents
}
