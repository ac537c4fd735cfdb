import { idOf, replayLetter } from '../../services/contracts/client/dead-letters.ts'
import { identityOf } from '../../shared/event-sourcing/ports/dead-letters.ts'
import { CommandFailure } from '../exit.ts'
import { contractsAppOn } from './contracts-app.ts'
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
    const { handleBusinessEvents: handle } = contractsAppOn(parts, topic)
    for (const letter of own) {
      const isWhole = await replayLetter(letter, { deadLetters, handle })
      const isBack = isWhole && (await deadLetters.find(identityOf(letter))) !== undefined
      yield { id: idOf(letter), outcome: isBack ? 'set aside again' : isWhole ? 'handled' : 'too large' }
      report('replaying', ++done, letters.length)
    }
  }
}
