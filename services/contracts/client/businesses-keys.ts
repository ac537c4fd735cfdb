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
/** How many unknown keys are remembered between two questions. */
const MAX_UNKNOWN = 10_000

/** Why a message was set aside whose key may become known: it is then handled by itself. */
export const UNKNOWN_KEY = 'Signed with a key that the businesses service is not known to have'

/** The keys of the businesses service, kept with the contracts service's data so that they are known while it is away. */
export function createBusinessesKeys({ database, relay, logger }: BusinessesKeysOptions) {
  const stored = database.documents(SIGNING_KEYS)
  /** undefined: never read or asked for. */
  let keys: ReadonlyMap<string, ReturnType<typeof verifierWith>> | undefined
  /** The keys of messages that were set aside as it was unknown. */
  const unknown = new Set<string>()

  function use(known: readonly PublicKey[]): void {
    keys = new Map(known.map((key) => [key.kid, verifierWith(key)]))
  }

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
  const asking = sharingRuns(ask, { freshMilliseconds: ASK_INTERVAL })

  async function known(): Promise<NonNullable<typeof keys>> {
    if (keys === undefined) {
      const text = await stored.read('businesses')
      if (text !== undefined) use(JSON.parse(text))
      else await asking.join()
    }
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
    /** Remembers that a message is in the dead letters as its key is unknown. */
    noteSetAside(message: TopicMessage): void {
      if (unknown.size < MAX_UNKNOWN) unknown.add(signingKeyOf(message) ?? '')
    },
    isAnyUnknown: (): boolean => unknown.size > 0,
    /** Asks again. Whether a key may be known now that was unknown; undefined: nobody answers. */
    async refresh(): Promise<boolean | undefined> {
      const before = [...unknown]
      asking.forget()
      if (!(await asking.join())) return undefined
      for (const kid of before) unknown.delete(kid)
      return before.length === MAX_UNKNOWN || before.some((kid) => keys?.has(kid))
    },
    isKnown: (message: TopicMessage): boolean => keys?.has(signingKeyOf(message) ?? '') ?? false,
  }
}
