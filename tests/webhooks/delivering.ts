import { deliveryRule, networks } from '../../gateway/webhooks/addresses.ts'
import { startDelivering } from '../../gateway/webhooks/open.ts'
import { newRequestId } from '../../shared/calls/ids.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { Documents } from '../../shared/event-sourcing/ports/documents.ts'
import { createWebhookAdministration } from '../../shared/webhooks/administration.ts'
import { sealingWith } from '../../shared/webhooks/secret.ts'
import { gatewayViews } from '../../shared/webhooks/view.ts'
import { atEnd } from '../support/cleanup.ts'
import { collectingLogger } from '../support/collecting-logger.ts'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { madeUpFeed } from '../support/made-up-feed.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

/** Longer than the delay before the first retry, in milliseconds. */
export const PAST_FIRST_DELAY = 6_000

export const context = () => toCommandContext({ actor: 'test', requestId: newRequestId() })

/** The versions of a record in the order in which they arrived. */
export const versionsOf = ({ received }: Receiver, subject: string): readonly number[] =>
  received.filter(({ event }) => event.subject === subject).map(({ event }) => event.recordversion)

/** A receiver for the running test. */
export const receiver = async (answering?: Parameters<typeof startReceiver>[0]) =>
  atEnd.stop(await startReceiver(answering))

/** The database with its documents wrapped by `change`. */
export const withDocuments = (database: Database, change: (documents: Documents) => Documents): Database => ({
  ...database,
  documents: (kind) => change(database.documents(kind)),
})

/** Registers a suite on each database. */
export function describeDeliveries(title: string, suite: (newDatabase: () => Promise<Database>) => void): void {
  describeOnDatabases(title, (open) => suite(async () => (await open(gatewayViews)).database))
}

/** Delivers the feed by the given clock, with secrets sealed by a key that may change. */
export function delivering(database: Database, feed = madeUpFeed(), clock = Date.now, sealing = sealingWith('a key')) {
  const administration = createWebhookAdministration({
    database,
    clock,
    sealing,
    feedEnd: async () => feed.end(),
  })
  const attempts = { delivered: 0, failed: 0 }
  const { logger, lines } = collectingLogger()
  const start = () => {
    const running = startDelivering({
      database,
      administration,
      readPage: (range) => feed.read(range),
      beyond: feed.beyond,
      isAllowed: deliveryRule(networks(['127.0.0.0/8'])),
      attemptMilliseconds: 1_500,
      sealing,
      clock,
      random: Math.random,
      onAttempt: (outcome) => void attempts[outcome]++,
      holder: 'test',
      leaseMilliseconds: 3_000,
      logger,
    })
    return atEnd.stop(running)
  }
  const create = async (url: string, types: readonly string[] = []) => {
    const { webhook, secret } = await administration.create({ url, types, description: '' }, context())
    return { id: webhook.id, secret, find: () => administration.find(webhook.id) }
  }
  return { administration, feed, attempts, lines, start, create }
}
