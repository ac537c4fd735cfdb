import { foldWhole } from '../../../shared/event-sourcing/search-folding.ts'
import type { Concept, PlainCommands } from '../../../shared/kinds/concept.ts'
import { notFound } from '../../../shared/kinds/record-service.ts'
import { type BusinessRejection, type CreateBusiness, decide, type EditBusiness } from './decide.ts'
import type { BusinessEvent } from './events.ts'
import { type Business, evolve } from './evolve.ts'
import { businessesView, readBusinessEvent } from './view.ts'

/** How businesses are read, listed and shown. */
export const businessConcept: Concept<'business', Business, BusinessEvent, BusinessRejection> = {
  view: businessesView,
  read: readBusinessEvent,
  // Both are compared whole and folded; '': those without one.
  listed: ({ email, taxId }) => ({ where: { email: email && foldWhole(email), taxId: taxId && foldWhole(taxId) } }),
  rejections: { 'business-not-found': () => notFound('business') },
  // A tax id of '' is none.
  toMessage: (business) =>
    business.taxId === null ? { ...business, taxId: '' } : { ...business, taxId: business.taxId },
}

/** A business is a client, too, which has an id of its own. */
export const businessCommands: PlainCommands<
  'business',
  Business,
  CreateBusiness | EditBusiness,
  BusinessEvent,
  BusinessRejection
> = {
  decider: { decide, evolve },
  create: (id, fields, newId) => ({ type: 'create', id, clientId: newId(), fields }),
  edit: (changes) => ({ type: 'edit', changes }),
}
