import { formatTimestamp } from '../fields/timestamp.ts'
import type { ServicePart } from '../kinds/kind.ts'

/** An event in its published form: a CloudEvent 1.0, with JSON text as data. */
export interface Envelope {
  /** `<source>/<position>`: positions stay the same when a log is exported and imported. */
  readonly id: string
  readonly source: `mint/${ServicePart | 'webhooks'}`
  /** For example `mint.contract.created.v1`. */
  readonly type: string
  /** The record's id. */
  readonly subject: string
  /** Milliseconds since the epoch. */
  readonly time: number
  /** The record's version after the change. */
  readonly recordversion: number
  /** Who made it: the principal of the key. */
  readonly actor: string
  readonly actorname?: string
  /** The names of the fields that the event set, separated by commas. */
  readonly changed: string
  /** Why it was written into a closed period. */
  readonly overridereason?: string
  /** The span in which it was recorded, if its request was sampled (the CloudEvents extension for distributed tracing). */
  readonly traceparent?: string
  /** The record after the change as REST shows it, with its version. */
  readonly data: string
}

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
