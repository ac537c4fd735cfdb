import { foldWhole } from '../../../shared/event-sourcing/search-folding.ts'
import { createEventReader, foldWith } from '../../../shared/event-sourcing/upcasting.ts'
import { contractFields } from '../../../shared/fields/contract-fields.ts'
import type { RecordView } from '../../../shared/kinds/concept.ts'
import { clientsView } from '../client/view.ts'
import { type ContractEvent, contractDefaults, fieldsSet } from './events.ts'
import { type Contract, evolve } from './evolve.ts'

const readEvent = createEventReader<ContractEvent>({ 'ContractCreated.v1': true, 'ContractEdited.v1': true })

/** Contracts, newest first: filtered by client, service type and dates, searched by service name and type. */
export const contractsView: RecordView<Contract> = {
  name: 'contracts',
  category: 'contract',
  idOrder: 'numeric',
  createdAt: (contract) => contract.createdAt,
  filters: { clientId: (contract) => contract.clientId, serviceType: (contract) => foldWhole(contract.serviceType) },
  relations: { clientId: clientsView },
  fields: contractFields,
  ranges: { updatedAt: (contract) => contract.updatedAt, serviceDate: (contract) => contract.serviceDate },
  searchTexts: [(contract) => contract.serviceName, (contract) => contract.serviceType],
  versions: {
    kind: 'ledger',
    // As written: a report has a row for each spelling.
    texts: { clientId: (contract) => contract.clientId, serviceType: (contract) => contract.serviceType },
    date: (contract) => contract.serviceDate,
    amounts: {
      serviceFee: (contract) => contract.serviceFee,
      taxPercent: (contract) => contract.taxPercent,
      totalFeeWithTax: (contract) => contract.totalFeeWithTax,
    },
    summed: ['totalFeeWithTax', 'serviceFee'],
  },
  fold: foldWith(readEvent, evolve, [contractDefaults, fieldsSet]),
}
