import { type PublishedRecord, publishedBy, publishedRecord } from '../../shared/events/published.ts'
import { CLOSING_CHANGED, FIRM_EDITED } from '../../shared/events/types.ts'
import { firmFields } from '../../shared/fields/firm-fields.ts'
import { formatTimestamp } from '../../shared/fields/timestamp.ts'
import type { Closing } from './closing/evolve.ts'
import { closingView, readClosingEvent } from './closing/view.ts'
import { concepts } from './concepts.ts'
import { firmView, readFirmEvent } from './firm/view.ts'

const closing: PublishedRecord<Closing> = {
  view: closingView,
  types: [CLOSING_CHANGED, CLOSING_CHANGED],
  read: readClosingEvent,
  record: ({ closedThrough, reason }, { at, by }, byName) => {
    return { closedThrough, reason, at: formatTimestamp(at), by, byName: byName ?? null }
  },
  changed: () => ['closedThrough', 'reason', 'at', 'by', 'byName'],
}

const firm = publishedRecord({
  view: firmView,
  types: [FIRM_EDITED, FIRM_EDITED],
  read: readFirmEvent,
  fields: firmFields,
})

/** What the contracts service publishes. */
export const published = publishedBy('contracts', concepts, [closing, firm])
