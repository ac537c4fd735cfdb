import { sharingRuns } from '../../../shared/async/shared-runs.ts'
import { CodedError } from '../../../shared/calls/errors.ts'
import { newRequestId } from '../../../shared/calls/ids.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import { type PublicKey, signingKeyOf, verifierWith } from '../../../shared/events/signature.ts'
import { SIGNING_KEYS } from '../../../shared/events/signing-keys.ts'
import type { RelayService } from '../../../shared/gen/mint/operations/v1/relay.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'

export interface BusinessesKeysOptions {
  readonly database: Pick<Database, 'documents'>
  readonly relay: Pick<RelayService, 'getSigningKeys'>
  readonly logger: Logger
}

export type BusinessesKeys = ReturnType<typeof createBusinessesKeys>

/** How long an answer counts, or that there was none, in milliseconds: unknown keys can be made up by the thousand. */
const ASK_INTERVAL = 5_000
/** How long messages wait for an answer, in milliseconds. */
const PATIENCE = 1_000

/** Why a message was set aside whose key may become known: it is then handled by itself. */
export const UNKNOWN_KEY = 'Signed with a key that the businesses service is not known to have'

/** The keys of the businesses service, kept with the contracts service's data so that they are known while it is away. */
export function createBusinessesKeys({ database, relay, logger }: BusinessesKeysOptions) {
  const stored = database.documents(SIGNING_KEYS)
  /** undefined: never read or asked for. */
  let keys: ReadonlyMap<string, ReturnType<typeof verifierWith>> | undefined
  /** Goes up whenever messages that were set aside earlier may have become verifiable. */
  let changes = 0

  function use(known: readonly PublicKey[]): void {
    if (known.some(({ kid }) => !keys?.has(kid))) changes += 1
    keys = new Map(known.map((key) => [key.kid, verifierWith(key)]))
  }

  const isKnown = (message: TopicMessage): boolean => keys?.has(signingKeyOf(message) ?? '') ?? false

  async function ask(): Promise<boolean> {
    try {
      const context = { actor: 'mint/contracts', requestId: newRequestId(), deadline: Date.now() + PATIENCE }
      const answer = await relay.getSigningKeys({}, context)
      const [before, text] = [await stored.read('businesses'), JSON.stringify(answer.keys)]
      if (text !== before) await stored.replace('businesses', before, text)
      use(answer.keys)
      return true
    } catch (error) {
      logger.warn({ outage: 'signing keys', err: error }, 'the businesses service could not be asked for its keys')
      return false
    }
  }
  /** Only for messages with an unknown key: an answer to `refresh` may date from before the rotation. */
  const asking = sharingRuns(ask, { freshMilliseconds: ASK_INTERVAL })

  /** Shared by the thousands of messages that may arrive at start-up. */
  const reading = sharingRuns(async () => {
    const text = await stored.read('businesses')
    if (text !== undefined) use(JSON.parse(text))
    else await ask()
  })

  async function known(): Promise<NonNullable<typeof keys>> {
    if (keys === undefined) await reading.join()
    if (keys !== undefined) return keys
    throw new CodedError(
      'unavailable',
      'The keys of the businesses service are not known yet: start it, or upgrade it.',
    )
  }

  return {
    /**
     * Why a message is not the businesses service's; undefined: it is. Throws `unavailable` until any key is known:
     * no message can be verified before.
     */
    async refusalOf(message: TopicMessage): Promise<string | undefined> {
      const kid = signingKeyOf(message)
      if (kid === undefined) return 'Not signed by the businesses service.'
      if (!(await known()).has(kid)) await asking.join()
      const isSigned = (await known()).get(kid)
      if (isSigned === undefined) return `${UNKNOWN_KEY}: ${kid}.`
      return (await isSigned(message)) ? undefined : 'Changed after it was signed.'
    },
    /** Records that a message is now in the dead letters as its key was unknown. */
    noteSetAside(message: TopicMessage): void {
      // Its key arrived while it was being set aside.
      if (isKnown(message)) changes += 1
    },
    changes: () => changes,
    /** Asks again. False if nobody answers. */
    refresh: ask,
    isKnown,
  }
}
