import { isDeepStrictEqual } from 'node:util'
import { idOf, lettersFrom, replayLetter } from '../../services/contracts/client/dead-letters.ts'
import type { DeadLetter, DeadLetters } from '../../shared/event-sourcing/ports/dead-letters.ts'
import { CommandFailure } from '../exit.ts'
import { contractsAppOn } from './contracts-app.ts'
import type { Parts } from './parts.ts'
import type { Report } from './report.ts'

/** More than anybody reads. */
const LIMIT = 100_000

/** The dead letters, oldest first, with their messages' values as received. */
export async function* listDeadLetters({ contracts }: Parts, _input: object) {
  for await (const letter of lettersFrom(contracts.deadLetters, { limit: LIMIT })) {
    const { topic, message, reason, at } = letter
    const { key, value, headers } = message
    yield { id: idOf(letter), topic, key, type: headers.ce_type, reason, at: new Date(at).toISOString(), value }
  }
}

/** Handles one dead letter, or all, as the contracts service does: see replayLetter. Throws CommandFailure. */
export async function* replayDeadLetters(
  parts: Pick<Parts, 'businesses' | 'contracts'>,
  { id }: { readonly id?: string | undefined },
  report: Report,
) {
  const { deadLetters } = parts.contracts
  const { handleBusinessEvents: handle } = contractsAppOn(parts)
  const total = id === undefined ? await deadLetters.count() : 1
  let replayed = 0
  for await (const letter of lettersOf(deadLetters, id)) {
    const outcome = await replayLetter(letter, { deadLetters, handle })
    yield { id: idOf(letter), outcome: outcome.replaceAll('_', ' ') }
    report('replaying', ++replayed, total)
  }
}

/** Forgets one dead letter, or `all`; the topic still has their messages. Throws CommandFailure. */
export async function* discardDeadLetters({ contracts: { deadLetters } }: Parts, { id }: { readonly id: string }) {
  for await (const letter of lettersOf(deadLetters, id === 'all' ? undefined : id)) {
    await deadLetters.remove(letter)
    yield { id: idOf(letter) }
  }
}

/** The letter with this id or, without one, each that is set aside now, whatever is done with those before it. */
async function* lettersOf(deadLetters: DeadLetters, id: string | undefined): AsyncGenerator<DeadLetter> {
  const limit = await deadLetters.count()
  if (id !== undefined) {
    for await (const letter of lettersFrom(deadLetters, { limit })) if (idOf(letter) === id) return yield letter
    throw new CommandFailure(`No message ${id} is set aside.`)
  }
  let remaining = 0
  for (let read = 0; read < limit; read++) {
    const [letter] = await deadLetters.list(1, remaining)
    if (letter === undefined) return
    yield letter
    // Unless it was removed, or set aside again, which makes it the newest.
    const [next] = await deadLetters.list(1, remaining)
    if (isDeepStrictEqual(next, letter)) remaining += 1
  }
}
