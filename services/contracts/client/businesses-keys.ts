import { repeat } from '../../../shared/async/repeat.ts'
import { sharingRuns } from '../../../shared/async/shared-runs.ts'
import { CodedError } from '../../../shared/calls/errors.ts'
import { newRequestId } from '../../../shared/calls/ids.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import { type PublicKey, signingKeyOf, verifierWith } from '../../../shared/events/signature.ts'
import { SIGNING_KEYS } from '../../../shared/events/signing-keys.ts'
import type { RelayService } from '../../../shared/gen/mint/operations/v1/relay.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import { type BusinessesHandler, replayLetter } from './dead-letters.ts'

export interface BusinessesKeysOptions {
  readonly database: Pick<Database, 'documents' | 'deadLetters'>
  readonly relay: Pick<RelayService, 'getSigningKeys'>
  readonly logger: Logger
}

export type BusinessesKeys = ReturnType<typeof createBusinessesKeys>

/** How long an answer, or a failure, is reused: unknown keys can be made up by the thousand. */
const FRESH_MILLISECONDS = 5_000
/** How long messages wait for an answer. */
const TIMEOUT_MILLISECONDS = 1_000

/** How many letters are read at once: each can have 15 MB. */
const LETTERS_PER_READ = 10

/** Why a message was set aside whose key may become known later: it is then handled without a replay. */
export const UNKNOWN_KEY = 'Signed with a key that the businesses service is not known to have'

/** The public keys of the businesses service, stored by the contracts service so that it can verify messages alone. */
export function createBusinessesKeys({ database, relay, logger }: BusinessesKeysOptions) {
  const { deadLetters } = database
  const stored = database.documents(SIGNING_KEYS)
  /** undefined: not read yet. */
  let keys: ReadonlyMap<string, ReturnType<typeof verifierWith>> | undefined
  /** Incremented whenever messages that were set aside may have become verifiable. */
  let changes = 0

  function use(known: readonly PublicKey[]): void {
    if (known.some(({ kid }) => !keys?.has(kid))) changes += 1
    keys = new Map(known.map((key) => [key.kid, verifierWith(key)]))
  }

  const isKnown = (message: TopicMessage): boolean => keys?.has(signingKeyOf(message) ?? '') ?? false

  async function fetchKeys(): Promise<boolean> {
    try {
      const context = {
        actor: 'mint/contracts',
        requestId: newRequestId(),
        deadline: Date.now() + TIMEOUT_MILLISECONDS,
      }
      const answer = await relay.getSigningKeys({}, context)
      const [before, text] = [await stored.read('businesses'), JSON.stringify(answer.keys)]
      if (text !== before) await stored.replace('businesses', before, text)
      use(answer.keys)
      return true
    } catch (error) {
      logger.warn({ outage: 'signing keys', err: error }, 'cannot fetch the signing keys of the businesses service')
      return false
    }
  }
  /** Only for messages with an unknown key: an answer to `watch` may date from before the rotation. */
  const fetching = sharingRuns(fetchKeys, FRESH_MILLISECONDS)

  /** Shared, because thousands of messages may arrive at start-up. */
  const reading = sharingRuns(async () => {
    const text = await stored.read('businesses')
    if (text !== undefined) use(JSON.parse(text))
    else await fetchKeys()
  })

  async function known(): Promise<NonNullable<typeof keys>> {
    if (keys === undefined) await reading.join()
    if (keys !== undefined) return keys
    throw new CodedError(
      'unavailable',
      'The keys of the businesses service are not known yet: start it, or upgrade it.',
    )
  }

  /** Handles messages whose key was unknown, and is known now: one after the other, oldest first. */
  async function handleSetAside(handle: BusinessesHandler): Promise<void> {
    for (let offset = 0; ; ) {
      const letters = await deadLetters.list(LETTERS_PER_READ, offset)
      for (const letter of letters) {
        const isDue = letter.reason.startsWith(UNKNOWN_KEY) && isKnown(letter.message)
        const isGone = isDue && (await replayLetter(letter, { deadLetters, handle })) !== 'too_large'
        if (!isGone) offset += 1
      }
      if (letters.length < LETTERS_PER_READ) return
    }
  }

  return {
    /**
     * Why a message can't be accepted as the businesses service's; undefined: its signature is valid. Throws
     * `unavailable` while no key is known, since no message can be verified then.
     */
    async refusalOf(message: TopicMessage): Promise<string | undefined> {
      const kid = signingKeyOf(message)
      if (kid === undefined) return 'Not signed by the businesses service.'
      if (!(await known()).has(kid)) await fetching.join()
      const isSigned = (await known()).get(kid)
      if (isSigned === undefined) return `${UNKNOWN_KEY}: ${kid}.`
      return (await isSigned(message)) ? undefined : 'Changed after it was signed.'
    },
    /** Called once a message with an unknown key is among the dead letters. */
    noteSetAside(message: TopicMessage): void {
      // The key arrived while the message was being set aside.
      if (isKnown(message)) changes += 1
    },
    /**
     * Keeps the keys up to date until it is stopped, and handles messages that were set aside because their key was
     * unknown. So while the businesses service can't be reached, none of its messages is lost, and none blocks the
     * others. `handle` handles messages as the consumer of the topic does.
     */
    watch(handle: BusinessesHandler, checkMilliseconds = 5_000) {
      /** `changes` when letters were last handled; lower at first, to include those that an earlier process set aside. */
      let handled = -1
      return repeat(async () => {
        if (!(await fetchKeys())) return
        const reached = changes
        if (reached > handled) await handleSetAside(handle)
        handled = reached
      }, checkMilliseconds)
    },
  }
}
