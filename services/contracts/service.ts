import { withTimeout } from '../../shared/async/with-timeout.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { codingAll } from '../../shared/event-sourcing/store-errors.ts'
import { createRecordService } from '../../shared/kinds/record-service.ts'
import { createRecordServices, viewsOf } from '../../shared/kinds/record-services.ts'
import { createRelayService, relayStatus } from '../../shared/operations/relay-service.ts'
import { createStatusService } from '../../shared/operations/status-service.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { BUSINESSES_TOPIC } from '../../shared/runtime/settings/topic-names.ts'
import { type BusinessCalls, createBusinessReader } from './client/business-reader.ts'
import { type BusinessesKeysOptions, createBusinessesKeys } from './client/businesses-keys.ts'
import { createClientRefusal } from './client/client-refusal.ts'
import { createBusinessesFollower } from './client/follow-businesses.ts'
import { clientsView } from './client/view.ts'
import { createClosings } from './closing/closings.ts'
import { closingView } from './closing/view.ts'
import { concepts } from './concepts.ts'
import { createContractCommands } from './contract/commands.ts'
import { contractConcept } from './contract/concept.ts'
import { createFirm } from './firm/firm.ts'
import { firmView } from './firm/view.ts'
import { createClientsService } from './grpc/clients-service.ts'
import { createClosingService } from './grpc/closing-service.ts'
import { createDeadLettersService } from './grpc/dead-letters-service.ts'
import { createFirmService } from './grpc/firm-service.ts'
import { createProposalsService } from './grpc/proposals-service.ts'
import { createReportsService } from './grpc/reports-service.ts'
import { plainKinds } from './kinds.ts'
import { createPreviews } from './proposal/preview.ts'
import { createProposals } from './proposal/proposals.ts'
import { proposalsView } from './proposal/view.ts'
import { createReportClock } from './report/report-clock.ts'

/** The views that the service's database is opened with. */
export const contractsViews: readonly AnyViewDefinition[] = [
  ...viewsOf(concepts),
  clientsView,
  closingView,
  firmView,
  proposalsView,
]

export interface ContractsAppOptions {
  /** Opened with `contractsViews`. */
  readonly database: Database
  /** Resolves clientIds, and returns the states and histories of businesses. */
  readonly businesses: BusinessCalls
  /** That service's relay, which has the public keys of its messages. */
  readonly businessesRelay: BusinessesKeysOptions['relay']
  readonly clock: () => number
  /** Whether contracts for unknown clients are refused. */
  readonly requireKnownClient: boolean
  /** The name of the businesses topic, if it is not the default. */
  readonly topic?: string
  /** How many messages of the topic wait to be handled; 0 by default, as on a topic within the process. */
  readonly unhandledMessages?: () => Promise<number>
  /** Settings that let its own topics lose messages, as far as known; absent where it publishes nothing. */
  readonly topicProblems?: () => readonly string[]
  readonly logger: Logger
}

/** Assembles the contracts service on any engine and transport. */
export function createContractsApp(options: ContractsAppOptions) {
  const { database, clock, requireKnownClient, topic = BUSINESSES_TOPIC, logger } = options
  const reportClock = createReportClock(clock, database)
  const sources = { view: database.view(clientsView), businesses: createBusinessReader(options.businesses), logger }
  const findClientRefusal = createClientRefusal(sources, requireKnownClient)
  const closings = createClosings(database, reportClock)
  const firm = createFirm(database, reportClock)
  const commands = createContractCommands({
    database,
    clock: reportClock,
    closedPeriods: closings.closedPeriods,
    timeZones: firm.timeZones,
    findClientRefusal,
  })
  const keys = createBusinessesKeys({ database, relay: options.businessesRelay, logger })
  const handleBusinessEvents = createBusinessesFollower({
    database,
    businesses: sources.businesses,
    keys,
    clock,
    topic,
    logger,
  })
  const services = {
    ...createRecordServices(plainKinds, { database, clock }),
    contracts: createRecordService('contract', contractConcept, commands, database),
    clients: createClientsService(sources),
    closing: createClosingService(closings),
    firm: createFirmService(firm),
    proposals: createProposalsService(
      createProposals({ database, clock: reportClock, contracts: commands }),
      createPreviews(database, reportClock, firm),
    ),
    reports: createReportsService(database, reportClock, firm),
    deadLetters: createDeadLettersService({
      deadLetters: database.deadLetters,
      handle: handleBusinessEvents,
      clock,
      logger,
    }),
    status: createStatusService({
      database: () => database,
      views: contractsViews,
      clock,
      logger,
      own: () => topicStatus(options),
    }),
    relay: createRelayService({ database, part: 'contracts' }),
  }
  return {
    ...codingAll(services, logger),
    /** For the consumer of the businesses topic. */
    handleBusinessEvents,
    /** Keeps the keys of messages up to date, until it is stopped. */
    watchKeys: (checkMilliseconds?: number) => keys.watch(handleBusinessEvents, checkMilliseconds),
  }
}

/** How long Kafka may take to answer. */
const KAFKA_TIMEOUT_MILLISECONDS = 1_000

async function topicStatus({ database, unhandledMessages = async () => 0, topicProblems, clock }: ContractsAppOptions) {
  const [deadLetters, unhandled, relay] = await Promise.all([
    database.deadLetters.count(),
    withTimeout(KAFKA_TIMEOUT_MILLISECONDS, unhandledMessages()).catch(() => undefined),
    topicProblems && relayStatus(database, 'contracts', clock()),
  ])
  return {
    deadLetters,
    relay,
    topicProblems: [...(topicProblems?.() ?? [])],
    ...(unhandled !== undefined && { unhandledMessages: unhandled }),
  }
}
