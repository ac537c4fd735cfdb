import { foldWhole } from '../../../shared/event-sourcing/search-folding.ts'
import { createEventReader, foldWith } from '../../../shared/event-sourcing/upcasting.ts'
import { businessFields } from '../../../shared/fields/business-fields.ts'
import type { PlainKind, RecordView } from '../../../shared/kinds/concept.ts'
import { notFound } from '../../../shared/kinds/record-service.ts'
import { type BusinessRejection, type CreateBusiness, decide, type EditBusiness } from './decide.ts'
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
  // Both are compared whole and folded; '': those without one.
  listed: ({ email, taxId }) => ({ where: { email: email && foldWhole(email), taxId: taxId && foldWhole(taxId) } }),
  rejections: { 'business-not-found': () => notFound('business') },
  // A message has '' for no tax id. Of an event's fields it may be absent.
  toMessage: ({ taxId, ...fields }) => ({ ...fields, taxId: taxId === null ? '' : taxId }),
  decider: { decide, evolve },
  // A business is a client, too, which has an id of its own.
  create: (id, fields, newId) => ({ type: 'create', id, clientId: newId(), fields }),
  edit: (changes) => ({ type: 'edit', changes }),
}
