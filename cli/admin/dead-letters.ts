import { idOf, lettersFrom, replayLetter } from '../../services/contracts/client/dead-letters.ts'
import type { DeadLetters } from '../../shared/event-sourcing/ports/dead-letters.ts'
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
  const letters = await lettersOf(deadLetters, id)
  const { handleBusinessEvents: handle } = contractsAppOn(parts)
  for (const [index, letter] of letters.entries()) {
    const outcome = await replayLetter(letter, { deadLetters, handle })
    yield { id: idOf(letter), outcome: outcome.replaceAll('_', ' ') }
    report('replaying', index + 1, letters.length)
  }
}

/** Forgets one dead letter, or `all`; the topic still has their messages. Throws CommandFailure. */
export async function* discardDeadLetters({ contracts: { deadLetters } }: Parts, { id }: { readonly id: string }) {
  for (const letter of await lettersOf(deadLetters, id === 'all' ? undefined : id)) {
    await deadLetters.remove(letter)
    yield { id: idOf(letter) }
  }
}

async function lettersOf(deadLetters: DeadLetters, id: string | undefined) {
  const letters = (await deadLetters.list(LIMIT)).filter((letter) => id === undefined || idOf(letter) === id)
  if (id !== undefined && letters.length === 0) throw new CommandFailure(`No message ${id} is set aside.`)
  return letters
}
