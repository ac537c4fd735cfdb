import { foldWhole } from '../../../shared/event-sourcing/search-folding.ts'
import type { PlainKind } from '../../../shared/kinds/concept.ts'
import { notFound } from '../../../shared/kinds/record-service.ts'
import { type BusinessRejection, type CreateBusiness, decide, type EditBusiness } from './decide.ts'
import type { BusinessEvent } from './events.ts'
import { type Business, evolve } from './evolve.ts'
import { businessesView } from './view.ts'

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
