import type { StreamName } from '../../../shared/event-sourcing/event.ts'
import type { ViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import { createEventReader, foldWith } from '../../../shared/event-sourcing/upcasting.ts'
import type { ClosingEvent } from './events.ts'
import { type Closing, evolve } from './evolve.ts'

/** Reads an event of a closing of any age in its current shape. */
export const readClosingEvent = createEventReader<ClosingEvent>({ 'ClosingSet.v1': true })

/** The only stream of closings in a log. */
export const CLOSING: StreamName = { category: 'closing', id: 'contracts' }

/** A single row. */
export const closingView: ViewDefinition<Closing> = {
  name: 'closings',
  category: CLOSING.category,
  idOrder: 'text',
  createdAt: (closing) => closing.createdAt,
  filters: {},
  searchTexts: [],
  fold: foldWith(readClosingEvent, evolve),
}
