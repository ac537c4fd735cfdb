import { createBusinessesApp } from '../../services/businesses/service.ts'
import { createContractsApp } from '../../services/contracts/service.ts'
import { createInProcessTopic } from '../../shared/adapters/in-process/topic.ts'
import { newUuid } from '../../shared/ids.ts'
import { createLogger } from '../../shared/logger.ts'
import type { Parts } from '../admin/parts.ts'
import type { DataFolder } from '../start/data-folder.ts'

/** The parts of a folder that no Mint runs on: what is published reaches the contracts service's own handler. */
export async function offlineParts({ contracts, businesses, gateway }: DataFolder): Promise<Parts> {
  const logger = createLogger({ name: 'mint', level: 'error' })
  const clock = Date.now
  const topic = createInProcessTopic()
  const { handleBusinessEvents } = createContractsApp({
    database: contracts,
    businesses: createBusinessesApp({ database: businesses, clock, newId: newUuid, logger }).businesses,
    clock,
    requireKnownClient: false,
    logger,
  })
  await topic.consumer.run(handleBusinessEvents)
  return {
    contracts,
    businesses,
    gateway,
    publisher: topic.publisher,
    relayRuns: false,
  }
}
