import type { Services } from '../../cli/start/services.ts'
import { CodedError } from '../../shared/errors.ts'

const refuse = async (): Promise<never> => {
  throw new CodedError('not_found', 'There is nothing.')
}

/** Services that hold no record at all: enough to see how far a request gets. */
export const emptyServices: Services = {
  contracts: {
    listContracts: refuse,
    getContract: refuse,
    listContractHistory: refuse,
    createContract: refuse,
    editContract: refuse,
  },
  clients: { listClients: refuse, getClient: refuse },
  businesses: {
    listBusinesses: refuse,
    getBusiness: refuse,
    getBusinessByClientId: refuse,
    listBusinessHistory: refuse,
    createBusiness: refuse,
    editBusiness: refuse,
  },
}
