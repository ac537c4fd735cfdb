import { z } from 'zod'
import { total } from './page.ts'
import { timestamp, timestampText } from './timestamp.ts'

const AT = '2026-02-01T08:00:00.000Z'

/** A page of the history of one kind of record. `changed`: what the second event set, for the example. */
export function historyShape(name: string, record: z.ZodObject, changed: object) {
  const example = {
    version: 2,
    type: `${name}Edited.v1`,
    at: AT,
    by: '6fa1c9de-39a5-5a7e-8b5c-d7c1a4b5e601',
    data: { ...changed, updatedAt: AT },
  }
  const event = eventShape(record.partial()).meta({ id: `${name}Event`, examples: [example] })
  return z
    .object({ events: z.array(event), total })
    .meta({ id: `${name}HistoryPage`, examples: [{ events: [example], total: 2 }] })
}

/** What every event of a history has; `data` is the fields that an event of that kind of record can set. */
function eventShape<Data extends z.ZodObject>(data: Data) {
  return z.object({
    version: z.int().min(1).meta({ description: 'The version of the record after the event: its ETag then.' }),
    type: z.string().meta({ description: 'What happened, with the version of the event’s shape.' }),
    at: timestampText,
    by: z.string().meta({ description: 'The id of the API key that did it; over gRPC the name that the caller gave.' }),
    data: data.meta({
      description:
        'The fields that the event set, in the form of the record. Laid over each other in order, those of all events make the record.',
    }),
  })
}

/** An event of REST, from one of proto with its data in the form of REST. */
export function eventRecord<Data>(
  { version, type, at, by }: { version: number; type: string; at: number; by: string },
  data: Data,
) {
  return { version, type, at: timestamp(at), by, data }
}

/** The form of a field that an event may have left as it was. */
export function ifSet<Value, Form>(value: Value | undefined, form: (value: Value) => Form): Form | undefined {
  return value === undefined ? undefined : form(value)
}
