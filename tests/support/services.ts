import { published } from '../../services/businesses/published.ts'
import { businessesViews, createBusinessesApp } from '../../services/businesses/service.ts'
import { contractsViews, createContractsApp } from '../../services/contracts/service.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { BEGINNING } from '../../shared/event-sourcing/event.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'
import { createEnveloper } from '../../shared/events/enveloper.ts'
import { createSigningKeys } from '../../shared/events/signing-keys.ts'
import { toMessage } from '../../shared/events/topics.ts'
import type { ContractsService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { atEnd } from './cleanup.ts'
import { emptyServices } from './empty-services.ts'
import { namesNobody } from './envelopes.ts'
import { quietLogger } from './quiet-logger.ts'
import { present } from './requests.ts'
import { newFolder } from './temporary-folder.ts'

export interface ServicesOptions {
  readonly clock?: () => number
  readonly requireKnownClient?: boolean
  /** The name of the businesses topic. */
  readonly topic?: string
  /** Prepares the folder of contracts.db and businesses.db before they are opened. */
  readonly prepare?: (folder: string) => void
  /** Wraps a service's database, for example in a network that loses answers. */
  readonly between?: (database: Database) => Database
  /** Replaces the contracts service's connection to the businesses service. */
  readonly ask?: Parameters<typeof createContractsApp>[0]['businesses']
  /** The relay service that the contracts service gets keys from; default: that of its businesses service. */
  readonly askRelay?: Parameters<typeof createContractsApp>[0]['businessesRelay']
}

/** Both services on SQLite in a temporary folder, without the relay between them; closed after the running test. */
export async function openServices(options: ServicesOptions = {}) {
  const { clock = Date.now, requireKnownClient = false, between = (database) => database } = options
  const folder = newFolder()
  options.prepare?.(folder)
  const [contractsData, businessesData] = await Promise.all([
    openSqliteDatabase({ file: `${folder}/contracts.db`, views: contractsViews }),
    openSqliteDatabase({ file: `${folder}/businesses.db`, views: businessesViews }),
  ])
  atEnd(() => Promise.all([contractsData.close(), businessesData.close()]))
  const logger = quietLogger()
  const { businesses, relay: businessesRelay } = createBusinessesApp({
    database: between(businessesData),
    clock,
    logger,
  })
  const contractsApp = createContractsApp({
    database: between(contractsData),
    businesses: options.ask ?? businesses,
    businessesRelay: options.askRelay ?? businessesRelay,
    clock,
    requireKnownClient,
    ...(options.topic !== undefined && { topic: options.topic }),
    logger,
  })
  return {
    ...contractsApp,
    businesses,
    businessesRelay,
    contractsData,
    businessesData,
  }
}

/** All that the relay would have published so far. */
export async function publishedBy({ businessesData }: { readonly businessesData: Database }): Promise<TopicMessage[]> {
  const envelopesOf = createEnveloper({ database: businessesData, published, nameOf: namesNobody })
  const sign = await createSigningKeys(businessesData).signer()
  const envelopes = await envelopesOf(await businessesData.events.readAll(BEGINNING, 1000))
  return await Promise.all(envelopes.map((envelope) => sign(toMessage(present(envelope)).message)))
}

/** The contracts service on one database, as a separate process that knows no businesses. */
export const contractsOn = (database: Database): ContractsService => contractsAppOn(database).contracts

/** All services of such a process. */
export function contractsAppOn(database: Database, clock = Date.now) {
  const nothing = async () => ({ business: undefined })
  const businesses = { getBusiness: nothing, getBusinessByClientId: nothing }
  return createContractsApp({
    database,
    businesses,
    businessesRelay: emptyServices.businessesRelay,
    clock,
    requireKnownClient: false,
    logger: quietLogger(),
  })
}
