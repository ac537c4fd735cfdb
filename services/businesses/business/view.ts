import { foldWhole } from '../../../shared/event-sourcing/search-folding.ts'
import { createEventReader, foldWith } from '../../../shared/event-sourcing/upcasting.ts'
import { businessFields } from '../../../shared/fields/business-fields.ts'
import type { RecordView } from '../../../shared/kinds/concept.ts'
import { type BusinessEvent, businessDefaults } from './events.ts'
import { type Business, evolve } from './evolve.ts'

const readEvent = createEventReader<BusinessEvent>({ 'BusinessCreated.v1': true, 'BusinessEdited.v1': true })

/** Businesses by id, newest first, found by the client they are, e-mail address, tax id, last change, names and number. */
export const businessesView: RecordView<Business> = {
  name: 'businesses',
  category: 'business',
  idOrder: 'text',
  createdAt: (business) => business.createdAt,
  filters: {
    clientId: (business) => business.clientId,
    email: (business) => foldWhole(business.email),
    taxId: (business) => foldWhole(business.taxId ?? ''),
  },
  fields: Object.keys(businessFields),
  ranges: { updatedAt: (business) => business.updatedAt },
  searchTexts: [
    (business) => business.legalName,
    (business) => business.operatedAs,
    (business) => business.businessNumber,
  ],
  fold: foldWith(readEvent, evolve, [businessDefaults]),
}
