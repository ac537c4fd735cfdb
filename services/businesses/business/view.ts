import { createEventReader, foldWith } from '../../../shared/event-sourcing/upcasting.ts'
import type { ViewDefinition } from '../../../shared/event-sourcing/view.ts'
import type { BusinessEvent } from './events.ts'
import { type Business, evolve } from './evolve.ts'

const readEvent = createEventReader<BusinessEvent>({ 'BusinessCreated.v1': true, 'BusinessEdited.v1': true })

/** Businesses by id, newest first, found by the client they are and by their names and number. */
export const businessesView: ViewDefinition<Business> = {
  name: 'businesses',
  schema: 1,
  category: 'business',
  idOrder: 'text',
  createdAt: (business) => business.createdAt,
  filters: { clientId: (business) => business.clientId },
  searchTexts: [
    (business) => business.legalName,
    (business) => business.operatedAs,
    (business) => business.businessNumber,
  ],
  fold: foldWith(readEvent, evolve),
}
