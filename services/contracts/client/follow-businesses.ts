import type { CallContext } from '../../../shared/calls/call-context.ts'
import { CodedError } from '../../../shared/calls/errors.ts'
import { newRequestId } from '../../../shared/calls/ids.ts'
import { changedFields } from '../../../shared/event-sourcing/changed-fields.ts'
import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { TopicHandler, TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import type { AskedBusinesses } from './asked-businesses.ts'
import { readBusinessMessage } from './business-message.ts'
import { cutToFit } from './cut-letter.ts'
import { type BusinessAtVersion, decide, type FollowBusiness } from './decide.ts'
import { type Client, evolve } from './evolve.ts'
import { clientsView } from './view.ts'

export interface FollowBusinessesOptions {
  readonly database: Database
  readonly businesses: AskedBusinesses
  readonly clock: () => number
  /** The name of the topic that the messages come from: dead letters say it. */
  readonly topic: string
  readonly logger: Logger
}

/** What became of a message: it says what the businesses service says as well, or why it is to be set aside. */
type Checked =
  | { readonly type: 'true'; readonly business: BusinessAtVersion; readonly context: CallContext }
  | { readonly type: 'refused'; readonly reason: string }

/** Who Clients are changed by: what a message says of its sender is not believed. */
const ACTOR = 'mint/businesses'

/**
 * Anybody who can write to the topic may have written a message, so that each is only a hint: the businesses service is
 * asked for the business at the version that it names, and one that does not say the same is set aside. Each of the
 * others becomes a command on its client; keys side by side, the messages of one in order. Which commits follow depends
 * on the Client's version alone, so that a message that comes again, or was copied, needs no commitId to change nothing.
 * Throws, to get the messages again, when the store or the businesses service is away.
 */
export function createBusinessesFollower(options: FollowBusinessesOptions): TopicHandler {
  const { database, businesses, clock, topic, logger } = options
  const view = database.view(clientsView)
  const handler = createCommandHandler({ events: database.events, view, decider: { decide, evolve }, clock })

  async function check(message: TopicMessage): Promise<Checked> {
    const read = readBusinessMessage(message)
    if (read.type === 'not-understood') return { type: 'refused', reason: read.reason }
    const { business: claimed } = read
    // No text of the message is passed on: it could be one that no call takes, which would hold up its partition for ever.
    const context = { actor: ACTOR, requestId: newRequestId() }
    const asked = businesses.atVersion(claimed.id, claimed.version, toCommandContext(context))
    const business = await asked.catch(absentWhereInvalid)
    const reason = differenceOf(claimed, business)
    return business && reason === undefined
      ? { type: 'true', business: claimed, context }
      : { type: 'refused', reason: `Not what the businesses service says: ${reason}` }
  }

  async function follow({ business, context }: Checked & { type: 'true' }): Promise<void> {
    const asking = toCommandContext(context)
    /** Seen before, or the Client shows a version that its business never had: its business of now tells. */
    async function command(client: Client | undefined): Promise<FollowBusiness> {
      const isBehind = client === undefined || client.sourceVersion <= business.version
      const now = isBehind ? undefined : await businesses.byId(business.id, asking)
      return now ? { type: 'set-right', business: now } : { type: 'follow-business', business }
    }
    await handler.change({ id: business.clientId, command }, asking)
  }

  async function setAside(message: TopicMessage, reason: string): Promise<void> {
    const [key, id] = [message.key, message.headers.ce_id].map((text) => text.slice(0, 100))
    // As an outage, so that thousands of them are counted in the log instead of filling it.
    logger.warn({ outage: 'dead-letters', key, id, reason }, 'a message was set aside')
    await database.deadLetters.add(cutToFit({ topic, message, reason, at: clock() }))
  }

  type WithMessage = { readonly message: TopicMessage; readonly checked: Checked }

  async function handleInOrder(messages: readonly WithMessage[]): Promise<void> {
    for (const { message, checked } of messages) {
      if (checked.type === 'true') await follow(checked)
      else await setAside(message, checked.reason)
    }
  }

  return async (messages) => {
    const checked = await Promise.all(
      messages.map(async (message): Promise<WithMessage> => ({ message, checked: await check(message) })),
    )
    const byKey = Map.groupBy(checked, ({ message }) => message.key)
    // Every key is waited for, so that none is still at work when the messages come again.
    const results = await Promise.allSettled([...byKey.values()].map(handleInOrder))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}

/** What the businesses service calls invalid it will always call so, however often it is asked: there is no such business. */
function absentWhereInvalid(error: unknown): undefined {
  if (!(error instanceof CodedError && error.code === 'validation_failed')) throw error
}

/** In which field a message says something else than its business at that version; undefined: in none. */
function differenceOf(claimed: BusinessAtVersion, business: BusinessAtVersion | undefined): string | undefined {
  if (business === undefined) return `there is no version ${claimed.version} of business ${claimed.id}.`
  const [wrong] = Object.keys(changedFields(business, claimed))
  return wrong && `version ${claimed.version} of business ${claimed.id} has another ${wrong}.`
}
