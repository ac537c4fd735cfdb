import { CodedError } from '../../shared/calls/errors.ts'
import type { CalledServices } from '../../shared/kinds/services.ts'

const refuse = async (): Promise<never> => {
  throw new CodedError('not_found', 'There is nothing.')
}

const full = async (): Promise<never> => {
  throw new CodedError('unavailable', 'There is no room.')
}

const NO_SUMS = { count: 0, serviceFee: '0', tax: '0', totalFeeWithTax: '0' }

const EMPTY_FIRM = {
  ...{ name: '', address: '', email: '', phone: '', taxId: '', currency: '', timeZone: 'UTC' },
  ...{ updatedAt: 0, version: 0 },
}

const relay = { publishAgain: async () => ({}), getSigningKeys: async () => ({ keys: [] }) }

const status = {
  getStatus: async () => ({
    engine: 'sqlite',
    position: 0,
    views: [],
    process: { version: '0.0.0', at: 'nowhere/1' },
    processes: [],
    relay: undefined,
    topicProblems: [],
  }),
}

const events = {
  listEvents: async () => ({ events: [], next: '0', more: false }),
  getLatestCursor: async () => ({ cursor: '0' }),
  async followEvents() {
    return (async function* () {})()
  },
}

/** Services that have no records and accept none: enough to see how far a request gets. */
export const emptyServices: CalledServices = {
  contracts: {
    listContracts: async () => ({ contracts: [], total: 0 }),
    getContract: refuse,
    listContractHistory: refuse,
    checkNewContracts: full,
    createContract: full,
    editContract: refuse,
  },
  closing: {
    getClosing: async () => ({ closing: undefined }),
    setClosing: full,
    listClosingHistory: async () => ({ closings: [], total: 0 }),
  },
  firm: {
    getFirm: async () => ({ firm: EMPTY_FIRM }),
    editFirm: full,
    listFirmHistory: async () => ({ events: [], total: 0 }),
  },
  clients: {
    listClients: async () => ({ clients: [], total: 0 }),
    getClient: refuse,
    listClientsByName: refuse,
    listClientNames: async ({ clientIds }) => ({ names: clientIds.map(() => '') }),
  },
  proposals: {
    createProposal: full,
    listProposals: async () => ({ proposals: [], total: 0 }),
    getProposal: refuse,
    acceptProposal: refuse,
    declineProposal: refuse,
  },
  reports: {
    reportContracts: async () => ({ asOf: 0, rows: [], total: 0, sums: { ...NO_SUMS, billed: '0' } }),
    listContractLines: async () => ({ asOf: 0, lines: [], total: 0, sums: { ...NO_SUMS, billed: '0' } }),
    listContractChanges: async ({ since }) => ({ since, until: since, changes: [], total: 0, difference: NO_SUMS }),
  },
  deadLetters: {
    listDeadLetters: async () => ({ deadLetters: [], total: 0 }),
    replayDeadLetters: async () => ({ replayed: [], remaining: 0 }),
  },
  contractsStatus: status,
  contractsRelay: relay,
  businessesRelay: relay,
  businessesStatus: status,
  contractsEvents: events,
  businessesEvents: events,
  businesses: {
    listBusinesses: async () => ({ businesses: [], total: 0 }),
    getBusiness: refuse,
    getBusinessByClientId: refuse,
    listBusinessHistory: refuse,
    createBusiness: full,
    checkNewBusinesses: full,
    editBusiness: refuse,
  },
}
