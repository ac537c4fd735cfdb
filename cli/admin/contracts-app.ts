import { createBusinessesApp } from '../../services/businesses/service.ts'
import { createContractsApp } from '../../services/contracts/service.ts'
import { createLogger } from '../../shared/runtime/log/logger.ts'
import type { Parts } from './parts.ts'

/** The contracts service on these databases. */
export function contractsAppOn(parts: Pick<Parts, 'businesses' | 'contracts'>) {
  const common = { clock: Date.now, logger: createLogger({ name: 'mint', level: 'silent' }) }
  const services = createBusinessesApp({ ...common, database: parts.businesses })
  return createContractsApp({
    ...common,
    database: parts.contracts,
    businesses: services.businesses,
    businessesRelay: services.relay,
    requireKnownClient: false,
  })
}
