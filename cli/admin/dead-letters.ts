import { idOf, replayLetter } from '../../services/contracts/client/dead-letters.ts'
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

type ReplayOptions = { readonly contracts: Pick<Parts['contracts'], 'deadLetters'> } & Pick<Parts, 'publisher'>

interface ReplayedLetter {
  readonly id: string
  /** `published`: it is on its way, and will be set aside again if it still can't be handled. */
  readonly outcome: 'published' | 'set aside again' | 'too large'
}

/** Publishes one dead letter again, or all, for a contracts service that can handle them now: see replayLetter. */
export async function* replayDeadLetters(
  { contracts: { deadLetters }, publisher }: ReplayOptions,
  { id }: { readonly id?: string | undefined },
  report: Report,
): AsyncGenerator<ReplayedLetter> {
  const letters = (await deadLetters.list(LIMIT)).filter((letter) => id === undefined || idOf(letter) === id)
  if (id !== undefined && letters.length === 0) throw new CommandFailure(`No message ${id} is set aside.`)
  const tooLarge = new Set<string>()
  for (const [index, letter] of letters.entries()) {
    if (!(await replayLetter(letter, { deadLetters, replay: publisher.publish }))) tooLarge.add(idOf(letter))
    report('publishing', index + 1, letters.length)
  }
  const back = new Set((await deadLetters.list(LIMIT)).map(idOf))
  for (const letter of letters) {
    const id = idOf(letter)
    yield { id, outcome: tooLarge.has(id) ? 'too large' : back.has(id) ? 'set aside again' : 'published' }
  }
}
