import type { CallContext } from '../../shared/calls/call-context.ts'
import { etagOf, namesVersion, type TagCondition } from '../http/entity-tags.ts'
import type { OneAtATime } from '../http/one-at-a-time.ts'

/** An answer that is not a problem. */
export interface Answer {
  readonly status: number
  /** '' for none. */
  readonly body: string | Buffer
  /** With a body: Content-Type is JSON unless it stands here. */
  readonly headers: Readonly<Record<string, string>>
}

/** An answer that is too long to be made in one piece. */
export interface ChunkedAnswer {
  readonly status: number
  /** Content-Type among them. */
  readonly headers: Readonly<Record<string, string>>
  /** Texts of some kilobytes each; what fails before the first is answered as a problem. */
  readonly chunks: AsyncIterable<string>
  /** Each part is made in its turn. */
  readonly turns: OneAtATime
}

/** A record that was asked for, as JSON, or 304 when the caller has this version already. */
export function found(json: string, version: number, ifNoneMatch: TagCondition | undefined): Answer {
  const headers = { ETag: etagOf(version) }
  if (ifNoneMatch && namesVersion(ifNoneMatch, version)) return { status: 304, body: '', headers }
  return { status: 200, body: json, headers }
}

/** What became of a write. `replayed`: an earlier sending with the same commitId had done it. */
interface Written<Message> {
  readonly message: Message
  readonly toRecord: (message: Message) => object
  readonly replayed: boolean
  readonly context: CallContext
}

/** A record as a write left it: where it was created, with its `location`. */
export function written<Message extends { readonly version: number }>(
  { message, toRecord, replayed, context }: Written<Message>,
  location?: string,
): Answer {
  const headers = {
    ETag: etagOf(message.version),
    ...(location !== undefined && { Location: location }),
    // Without a key a replay is only this gateway's own second sending, which the caller knows nothing of.
    ...(replayed && context.requestHash !== undefined && { 'Idempotency-Replayed': 'true' }),
  }
  return { status: location === undefined ? 200 : 201, body: JSON.stringify(toRecord(message)), headers }
}

/** A page of a list, as JSON. */
export function listed(json: string): Answer {
  return { status: 200, body: json, headers: {} }
}

/** The record that a service's answer must hold; one without it breaks the contract between the parts. */
export function present<Record>(record: Record | undefined): Record {
  if (record === undefined) throw new Error('a service answered without the record')
  return record
}
