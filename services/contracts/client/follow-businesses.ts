import { CodedError } from '../../../shared/calls/errors.ts'
import { newRequestId } from '../../../shared/calls/ids.ts'
import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import type { CommandOutcome } from '../../../shared/event-sourcing/outcomes.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import { type Span, tracedAfter } from '../../../shared/runtime/tracing/tracing.ts'
import { readBusinessMessage } from './business-message.ts'
import type { BusinessReader } from './business-reader.ts'
import { type BusinessesKeys, UNKNOWN_KEY } from './businesses-keys.ts'
import { type BusinessesHandler, cutToFit } from './dead-letters.ts'
import { type BusinessAtVersion, decide, type FollowBusiness, type VersionsMissing } from './decide.ts'
import { evolve, type FollowedClient, type VersionRange } from './evolve.ts'
import { clientsView } from './view.ts'

export interface FollowBusinessesOptions {
  readonly database: Database
  readonly businesses: BusinessReader
  readonly keys: BusinessesKeys
  readonly clock: () => number
  /** The name of the topic that is consumed. */
  readonly topic: string
  readonly logger: Logger
}

/** The actor of changes to Clients. */
const ACTOR = 'mint/businesses'

/**
 * Handles messages of the businesses topic. Anybody with write access may have sent one, so those that the businesses
 * service has not signed are set aside. Each of the others becomes a command on its Client; keys run concurrently, and
 * the messages of one key in order. What is committed depends only on the Client's version, so a redelivered or copied
 * message changes nothing, even without a commitId. Throws while the store is unavailable, or while the businesses
 * service is and versions are missing between a message and its Client: the messages are then redelivered.
 */
export function createBusinessesFollower(options: FollowBusinessesOptions): BusinessesHandler {
  const { database, businesses, keys, clock, logger } = options
  const view = database.view(clientsView)
  const handler = createCommandHandler({ events: database.events, view, decider: { decide, evolve }, clock })
  /** Whether the last message changed nothing, as in a replay: then the next one probably won't, either. */
  let isReplaying = false

  /**
   * Records the message's version after the missing ones before it, each in its own commit, so that a redelivered message
   * resumes where this was interrupted. Returns why that isn't possible; undefined: it is done.
   */
  async function follow(business: BusinessAtVersion, span?: Span): Promise<string | undefined> {
    // A Client only moves forward, so a version that it already has needs no confirmation from the store.
    if (isReplaying && changesNothing((await view.get(business.clientId))?.state, business)) return undefined
    const context = { actor: ACTOR, requestId: newRequestId(), ...(span && { traceparent: span.traceparent }) }
    type Command = (client: FollowedClient | undefined) => Promise<FollowBusiness>
    const record = (command: Command) => handler.change({ id: business.clientId, command }, toCommandContext(context))

    const outcome = await record(async (client) => {
      const isAhead = mayBeAhead(client, business)
      return { business, now: isAhead ? await businesses.byIdIfReachable(business.id, context) : undefined }
    })
    isReplaying = outcome.type === 'done' && !outcome.changed
    for (const range of missingAfter(outcome)) {
      for await (const past of businesses.versions(business.id, range, context)) {
        await record(async () => ({ business: past }))
      }
    }
    if (outcome.type === 'done' || (await record(async () => ({ business }))).type === 'done') return undefined
    const { id, version } = business
    if (await businesses.atVersion(id, version, toCommandContext(context))) {
      throw new CodedError(
        'unavailable',
        `The log of businesses has version ${version} of ${id}, but not all before it.`,
      )
    }
    // The log of the businesses service was restored to an earlier moment.
    return `The businesses service no longer has version ${version} of business ${id}.`
  }

  const followTraced = (business: BusinessAtVersion, { headers }: TopicMessage) =>
    tracedAfter('follow business', { kind: 'consumer', requests: [headers.ce_traceparent] }, (span) =>
      follow(business, span),
    )

  async function setAside(message: TopicMessage, reason: string, topic: string): Promise<void> {
    const [key, id] = [message.key, message.headers.ce_id].map((text) => text.slice(0, 100))
    // Logged as an outage, so that thousands are counted instead of filling the log.
    logger.warn({ outage: 'dead-letters', key, id, reason }, 'a message was set aside')
    await database.deadLetters.add(cutToFit({ topic, message, reason, at: clock() }))
    if (reason.startsWith(UNKNOWN_KEY)) keys.noteSetAside(message)
  }

  /** Returns why the message must be set aside; undefined: it was handled. */
  async function handle(message: TopicMessage): Promise<string | undefined> {
    const read = readBusinessMessage(message)
    if (read.type === 'refused') return read.reason
    return (await keys.refusalOf(message)) ?? (await followTraced(read.business, message))
  }

  async function handleInOrder(messages: readonly TopicMessage[], topic: string): Promise<void> {
    for (const message of messages) {
      const reason = await handle(message)
      if (reason !== undefined) await setAside(message, reason, topic)
    }
  }

  return async (messages, topic = options.topic) => {
    const byKey = Map.groupBy(messages, ({ key }) => key)
    // Waits for every key, so that nothing is still running when the messages are redelivered.
    const results = await Promise.allSettled([...byKey.values()].map((own) => handleInOrder(own, topic)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}

/**
 * Whether the Client may have a version that its business never had. Checking at version 1 is enough, since every replay
 * begins with it.
 */
const mayBeAhead = (client: FollowedClient | undefined, business: BusinessAtVersion): boolean =>
  business.version === 1 && client !== undefined && client.sourceVersion > 1

function changesNothing(client: FollowedClient | undefined, business: BusinessAtVersion): boolean {
  if (client === undefined || client.missing.length > 0 || mayBeAhead(client, business)) return false
  const decision = decide(client, { business })
  return decision.type === 'accepted' && decision.events.length === 0
}

/** The versions to fetch and record. Gaps in the past are filled on redelivered messages; new ones advance the Client. */
function missingAfter(outcome: CommandOutcome<FollowedClient, VersionsMissing>): readonly VersionRange[] {
  if (outcome.type === 'rejected') return [outcome.rejection.missing]
  return outcome.type === 'done' && !outcome.changed ? outcome.state.missing : []
}
