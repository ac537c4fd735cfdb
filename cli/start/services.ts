import { published } from '../../services/businesses/published.ts'
import { createBusinessesApp } from '../../services/businesses/service.ts'
import { published as contractsPublished } from '../../services/contracts/published.ts'
import { createContractsApp } from '../../services/contracts/service.ts'
import type { ApiKeys } from '../../shared/api-keys/serving/api-keys.ts'
import { startRelay } from '../../shared/event-sourcing/relay.ts'
import { createEnveloper } from '../../shared/events/enveloper.ts'
import { createEventsService } from '../../shared/events/events-service.ts'
import { calledServices } from '../../shared/kinds/services.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { createMetrics, type Metrics } from '../../shared/runtime/metrics/metrics.ts'
import {
  deadLetterMetrics,
  measuredHandler,
  measuredPublisher,
  relayMetrics,
} from '../../shared/runtime/metrics/topic-metrics.ts'
import { BUSINESSES_TOPIC, relayOf } from '../../shared/runtime/settings/topic-names.ts'
import type { DataFolder } from './data-folder.ts'

interface ServicesOptions {
  readonly data: DataFolder
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly requireKnownClient: boolean
  /** The name of a key; see Enveloper. */
  readonly nameOf: ApiKeys['nameOf']
  readonly logger: Logger
  readonly metrics?: Metrics
}

export type RunningServices = Awaited<ReturnType<typeof startServices>>

/** The folder's lock keeps other processes out, so leases are renewed rarely, which lets an idle disk rest. */
export const LEASE_MILLISECONDS = 24 * 60 * 60 * 1000

/**
 * Starts both services on the open data, with the relay that passes business events to the contracts service: an event
 * is published once it is handled, so the relay's checkpoint is also the consumer's. `stop` ends the relay after the
 * current batch.
 */
export async function startServices(options: ServicesOptions) {
  const { data, clock, requireKnownClient, nameOf, logger, metrics = createMetrics(logger) } = options
  const businesses = createBusinessesApp({ database: data.businesses, clock, logger })
  const { handleBusinessEvents, watchKeys, ...contracts } = createContractsApp({
    database: data.contracts,
    businesses: businesses.businesses,
    businessesRelay: businesses.relay,
    clock,
    requireKnownClient,
    logger,
  })
  const consumer = { publish: measuredHandler(metrics, BUSINESSES_TOPIC, handleBusinessEvents) }
  deadLetterMetrics(metrics, BUSINESSES_TOPIC, () => data.contracts.deadLetters.count())
  const relayName = relayOf('businesses')
  relayMetrics(metrics, relayName, data.businesses)
  const envelopesOf = createEnveloper({ database: data.businesses, published, nameOf })
  const relay = startRelay({
    database: data.businesses,
    published,
    envelopesOf,
    // Other topics have no consumer in this process.
    publishers: new Map([[BUSINESSES_TOPIC, measuredPublisher(metrics, relayName, consumer)]]),
    holder: 'embedded',
    leaseMilliseconds: LEASE_MILLISECONDS,
    logger,
  })
  const watchingKeys = watchKeys()
  const ofContracts = {
    ...contracts,
    events: createEventsService({
      events: data.contracts.events,
      published: contractsPublished,
      envelopesOf: createEnveloper({ database: data.contracts, published: contractsPublished, nameOf }),
      logger,
    }),
  }
  const events = createEventsService({ events: data.businesses.events, published, envelopesOf, logger })
  const ofBusinesses = { ...businesses, events }
  return {
    ...calledServices(ofContracts, ofBusinesses),
    /** The same, by the part that offers them. */
    parts: { contracts: ofContracts, businesses: ofBusinesses },
    stop: async () => void (await Promise.all([relay.stop(), watchingKeys.stop()])),
  }
}
