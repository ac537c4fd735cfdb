import type { Services } from '../../cli/start/services.ts'
import { CodedError } from '../../shared/calls/errors.ts'

const refuse = async (): Promise<never> => {
  throw new CodedError('not_found', 'There is nothing.')
}

const full = async (): Promise<never> => {
  throw new CodedError('unavailable', 'There is no room.')
}

/** Services that hold no record and take none: enough to see how far a request gets. */
export const emptyServices: Services = {
  contracts: {
    listContracts: async () => ({ contracts: [], total: 0 }),
    getContract: refuse,
    listContractHistory: refuse,
    createContract: full,
    editContract: refuse,
  },
  closing: {
    getClosing: async () => ({ closing: undefined }),
    setClosing: full,
    listClosingHistory: async () => ({ closings: [], total: 0 }),
  },
  clients: { listClients: async () => ({ clients: [], total: 0 }), getClient: refuse },
  businesses: {
    listBusinesses: async () => ({ businesses: [], total: 0 }),
    getBusiness: refuse,
    getBusinessByClientId: refuse,
    listBusinessHistory: refuse,
    createBusiness: full,
    editBusiness: refuse,
  },
}
