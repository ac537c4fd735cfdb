import type { StreamName } from '../../../shared/event-sourcing/event.ts'
import type { ViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import { createEventReader, foldWith } from '../../../shared/event-sourcing/upcasting.ts'
import type { FirmEvent } from './events.ts'
import { EMPTY_FIRM, evolve, type Firm } from './evolve.ts'

/** Reads an event of the firm's record, of any age, in its current shape. */
export const readFirmEvent = createEventReader<FirmEvent>({ 'FirmEdited.v1': true })

/** The only stream of firms in a log. */
export const FIRM: StreamName = { category: 'firm', id: 'firm' }

/** A single row. */
export const firmView: ViewDefinition<Firm> = {
  name: 'firms',
  category: FIRM.category,
  idOrder: 'text',
  initial: EMPTY_FIRM,
  createdAt: () => 0,
  filters: {},
  searchTexts: [],
  fold: foldWith(readFirmEvent, evolve, [EMPTY_FIRM]),
}
