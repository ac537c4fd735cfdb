import { newUuid } from '../../../shared/calls/ids.ts'
import { foldWhole } from '../../../shared/event-sourcing/search-folding.ts'
import { createEventReader, foldWith } from '../../../shared/event-sourcing/upcasting.ts'
import { businessFields } from '../../../shared/fields/business-fields.ts'
import type { PlainKind, RecordView } from '../../../shared/kinds/concept.ts'
import { notFound } from '../../../shared/kinds/record-service.ts'
import { type BusinessRejection, type CreateBusiness, decide, type EditBusiness } from './decide.ts'
import { type BusinessEvent, businessDefaults } from './events.ts'
import { type Business, evolve } from './evolve.ts'

const readEvent = createEventReader<BusinessEvent>({ 'BusinessCreated.v1': true, 'BusinessEdited.v1': true })

/** Businesses, newest first: filtered by clientId, e-mail address, tax id and last change, searched by names and number. */
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
  fields: businessFields,
  ranges: { updatedAt: (business) => business.updatedAt },
  searchTexts: [
    (business) => business.legalName,
    (business) => business.operatedAs,
    (business) => business.businessNumber,
  ],
  fold: foldWith(readEvent, evolve, [businessDefaults]),
}

type Command = CreateBusiness | EditBusiness

/** How businesses are read, listed, shown and written. */
export const businessKind: PlainKind<'business', Business, Command, BusinessEvent, BusinessRejection> = {
  view: businessesView,
  // Both compare the whole folded value; '' finds those without one.
  listed: ({ email, taxId }) => ({ where: { email: email && foldWhole(email), taxId: taxId && foldWhole(taxId) } }),
  rejections: { 'business-not-found': () => notFound('business') },
  // In a message, '' means no tax id; it is absent where an event did not set it.
  toMessage: ({ taxId, ...fields }) => ({ ...fields, taxId: taxId === null ? '' : taxId }),
  decider: { decide, evolve },
  // The business is also a client, which needs its own id.
  create: (id, fields) => ({ type: 'create', id, clientId: newUuid(), fields }),
  edit: (changes) => ({ type: 'edit', changes }),
}
