import { createBusinessesApp } from '../../services/businesses/service.ts'
import { createContractsApp } from '../../services/contracts/service.ts'
import { createLogger } from '../../shared/runtime/log/logger.ts'
import { BUSINESSES_TOPIC } from '../../shared/runtime/settings/topic-names.ts'
import type { Parts } from './parts.ts'

/** The contracts service on these databases. `topic`: where messages that it sets aside are from. */
export function contractsAppOn(parts: Pick<Parts, 'businesses' | 'contracts'>, topic = BUSINESSES_TOPIC) {
  const common = { clock: Date.now, logger: createLogger({ name: 'mint', level: 'silent' }) }
  const services = createBusinessesApp({ ...common, database: parts.businesses })
  return createContractsApp({
    ...common,
    database: parts.contracts,
    businesses: services.businesses,
    businessesRelay: services.relay,
    topic,
    requireKnownClient: false,
  })
}
