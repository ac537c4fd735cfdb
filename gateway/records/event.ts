import { z } from 'zod'
import { timestampText } from '../../shared/fields/timestamp.ts'
import { author, total } from './fields.ts'

const AT = '2026-02-01T08:00:00.000Z'

/**
 * A page of the history of one kind of record. `changed`: for the example, what its event set, from what to what.
 * `isClosable`: whether events show why they were written into a closed period.
 */
export function historyShape(
  name: string,
  record: z.ZodObject,
  { isClosable = false, ...changed }: { readonly from: object; readonly to: object; readonly isClosable?: boolean },
) {
  const example = {
    version: 2,
    type: `${name}Edited.v1`,
    at: AT,
    by: '6fa1c9de-39a5-5a7e-8b5c-d7c1a4b5e601',
    byName: 'Website',
    ...(isClosable && { overrideReason: null }),
    data: { ...changed.to, updatedAt: AT },
    before: { ...changed.from, updatedAt: '2026-01-31T09:30:00.000Z' },
  }
  const event = eventShape(record.partial(), isClosable ? { overrideReason, ...proposed } : {}).meta({
    id: `${name}Event`,
    examples: [example],
  })
  return z
    .object({ events: z.array(event), total })
    .meta({ id: `${name}HistoryPage`, examples: [{ events: [example], total: 2 }] })
}

const overrideReason = z.string().nullable().meta({
  description: 'Why it was written into a closed period, as given in `Closing-Override`; null when it was not.',
})

const proposed = {
  proposedBy: z.string().optional().meta({
    description: 'Who proposed it: the `principal` of the API key. Only where a proposal was accepted.',
  }),
  proposedByName: z.string().nullable().optional().meta({ description: 'The name of who proposed it.' }),
}

/** What every event of a history has; `fields` are those that an event of that kind of record can set. */
function eventShape(fields: z.ZodObject, more: z.ZodRawShape) {
  return z.object({
    version: z.int().min(1).meta({ description: 'The version of the record after the event: its ETag then.' }),
    type: z.string().meta({ description: 'What happened, with the version of the event’s shape.' }),
    at: timestampText,
    by: author,
    byName: z.string().nullable().meta({
      description: 'Their name: for a program that of its key, even if revoked; null when it is unknown.',
    }),
    ...more,
    data: fields.meta({
      description:
        'The fields that the event set, in the form of the record. Applied in order, those of all events make up the record.',
    }),
    before: fields.meta({
      description: 'The values of the same fields before the event, in the form of the record; {} at the creation.',
    }),
  })
}
