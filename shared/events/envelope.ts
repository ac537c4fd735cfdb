import { formatTimestamp } from '../fields/timestamp.ts'
import type { Event } from '../gen/mint/events/v1/events.ts'

/**
 * An event in its published form: a CloudEvent 1.0, with JSON text as data. Positions, which its id contains, stay the
 * same when a log is exported and imported.
 */
export type Envelope = Readonly<Omit<Event, 'cursor'>>

/** The CloudEvents attributes of an event, in the documented order, without those that have no value. */
export function attributesOf(envelope: Envelope): Readonly<Record<string, string | number>> {
  const { id, source, type, subject, time, recordversion, actor, actorname, changed } = envelope
  const { overridereason, traceparent } = envelope
  return {
    specversion: '1.0',
    id,
    source,
    type,
    subject,
    time: formatTimestamp(time),
    datacontenttype: 'application/json',
    recordversion,
    actor,
    ...(actorname !== undefined && { actorname }),
    changed,
    ...(overridereason !== undefined && { overridereason }),
    ...(traceparent !== undefined && { traceparent }),
  }
}

/** The event in CloudEvents' structured mode: JSON text. */
export function structured(envelope: Envelope): string {
  return `${JSON.stringify(attributesOf(envelope)).slice(0, -1)},"data":${envelope.data}}`
}
