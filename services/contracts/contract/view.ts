import { createEventReader, foldWith } from '../../../shared/event-sourcing/upcasting.ts'
import type { ViewDefinition } from '../../../shared/event-sourcing/view.ts'
import type { ContractEvent } from './events.ts'
import { type Contract, evolve } from './evolve.ts'

const readEvent = createEventReader<ContractEvent>({ 'ContractCreated.v1': true, 'ContractEdited.v1': true })

/** Contracts by number, newest first, found by client and by the words of their service. */
export const contractsView: ViewDefinition<Contract> = {
  name: 'contracts',
  schema: 1,
  category: 'contract',
  idOrder: 'numeric',
  createdAt: (contract) => contract.createdAt,
  filters: { clientId: (contract) => contract.clientId },
  searchTexts: [(contract) => contract.serviceName, (contract) => contract.serviceType],
  fold: foldWith(readEvent, evolve),
}
