import { z } from 'zod'
import { CodedError } from '../../../shared/calls/errors.ts'
import type { DeadLetter, DeadLetters } from '../../../shared/event-sourcing/ports/dead-letters.ts'
import { StoreUnavailable } from '../../../shared/event-sourcing/ports/event-store.ts'
import { validated } from '../../../shared/fields/check.ts'
import { deadLetterIds } from '../../../shared/fields/dead-letter-fields.ts'
import { limit, offset } from '../../../shared/fields/lists.ts'
import type {
  DeadLettersService,
  DeadLetter as Message,
  ReplayedLetter,
} from '../../../shared/gen/mint/contracts/v1/dead_letters.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import { type BusinessesHandler, idOf, isCut, lettersFrom, replayLetter } from '../client/dead-letters.ts'

interface DeadLettersServiceOptions {
  readonly deadLetters: DeadLetters
  /** Handles messages as the consumer of the topic does. */
  readonly handle: BusinessesHandler
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly logger: Logger
}

const listRequest = z.object({ limit, offset })
const replayRequest = z.object({ ids: deadLetterIds(0) })

/** How many letters a call replays when it names none. */
const MAX_REPLAYED = 100
/** After this long, a replay starts no further letter, so that its caller gets the answer in time. */
const REPLAY_MILLISECONDS = 2_000

/** mint.contracts.v1.DeadLettersService. */
export function createDeadLettersService(options: DeadLettersServiceOptions): DeadLettersService {
  const { deadLetters, clock, logger } = options
  return {
    async listDeadLetters(request) {
      const { limit, offset } = validated(listRequest, request)
      const page: Message[] = []
      for await (const letter of lettersFrom(deadLetters, { limit, offset })) page.push(toMessage(letter))
      return { deadLetters: page, total: await deadLetters.count() }
    },

    async replayDeadLetters(request, context) {
      const { ids } = validated(replayRequest, request)
      const replayed: ReplayedLetter[] = []
      const endsAt = clock() + REPLAY_MILLISECONDS
      try {
        for await (const one of replay(ids, { ...options, isTimeOver: () => clock() >= endsAt })) replayed.push(one)
      } catch (error) {
        logger.warn({ outage: 'replay', err: error, requestId: context?.requestId }, 'a replay ended early')
        // The caller must learn what was replayed before.
        if (replayed.length === 0) throw inDoubt(error)
      }
      logger.info(
        { by: context?.actor, requestId: context?.requestId, count: replayed.length },
        'dead letters were replayed',
      )
      const remaining = await deadLetters.count().catch((error) => Promise.reject(inDoubt(error)))
      return { replayed, remaining }
    },
  }
}

/** Without the store, it isn't known how far a replay got. */
function inDoubt(error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error
  const message = 'Messages may have been handled before the data store became unavailable: replay them again.'
  return new CodedError('outcome_unknown', message, { cause: error })
}

interface Replaying extends Pick<DeadLettersServiceOptions, 'deadLetters' | 'handle'> {
  readonly isTimeOver: () => boolean
}

/** Replays these letters, or the oldest ones, until the time is over. */
async function* replay(ids: readonly string[], options: Replaying): AsyncGenerator<ReplayedLetter> {
  if (ids.length === 0) return yield* replayOldest(options)
  for (const id of ids) {
    const letter = await options.deadLetters.find(id)
    yield { id, outcome: letter ? await replayLetter(letter, options) : 'not_found' }
    if (options.isTimeOver()) return
  }
}

/** A replayed letter either disappears or becomes the newest, so the next one follows those that were skipped. */
async function* replayOldest(options: Replaying): AsyncGenerator<ReplayedLetter> {
  const seen = new Set<string>()
  let skipped = 0
  do {
    const [letter] = await options.deadLetters.list(1, skipped)
    if (letter === undefined || seen.has(idOf(letter))) return
    if (isCut(letter)) skipped += 1
    else {
      seen.add(idOf(letter))
      yield { id: idOf(letter), outcome: await replayLetter(letter, options) }
    }
  } while (seen.size < MAX_REPLAYED && !options.isTimeOver())
}

/** Leaves out the value, a business's record that not every operator may read. */
function toMessage(letter: DeadLetter): Message {
  const { topic, message, reason, at } = letter
  const type = truncate(message.headers.ce_type ?? '', 200)
  const shown = truncate(reason.replace(QUOTING, '$1.$2'), 1_000)
  return { id: idOf(letter), topic, key: truncate(message.key, 200), type, reason: shown, at, isCut: isCut(letter) }
}

/** A reason written by Mint 0.2: it quotes the value between the reason itself and the note that the message was cut. */
const QUOTING = /^(The value is not JSON): .*?( Too large to be set aside whole .*)?$/s

/** Bounds a text that anybody with write access to the topic may have sent. */
const truncate = (text: string, length: number): string => text.slice(0, length).toWellFormed()
