import { businessFields, businessTraits } from '../fields/business-fields.ts'
import { contractFields, contractTraits } from '../fields/contract-fields.ts'
import { BusinessesServiceService } from '../gen/mint/businesses/v1/businesses.ts'
import { ContractsServiceService } from '../gen/mint/contracts/v1/contracts.ts'
import { kinds } from './kind.ts'

/** The registry of the kinds of records that callers create and edit. Everything that all kinds have derives from it. */
export const KINDS = kinds({
  contract: {
    many: 'contracts',
    part: 'contracts',
    service: ContractsServiceService,
    fields: contractFields,
    ...contractTraits,
    about: 'Services rendered to clients.',
    reading: 'contracts, their history, reports, the closing and the firm’s history',
  },
  business: {
    many: 'businesses',
    part: 'businesses',
    service: BusinessesServiceService,
    fields: businessFields,
    ...businessTraits,
    about: 'Clients that are legal entities.',
  },
})

type Kinds = typeof KINDS

/** For example `contract`. */
export type KindName = keyof Kinds
/** For example `contracts`. */
export type KindPlural = Kinds[KindName]['many']
