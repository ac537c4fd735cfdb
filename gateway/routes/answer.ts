import type { CallContext } from '../../shared/calls/call-context.ts'
import { etagOf, namesTag, type TagCondition } from '../http/entity-tags.ts'
import type { NextPage } from './next-page.ts'

/** An answer that is not a problem. */
export interface Answer {
  readonly status: number
  /** '' for none. */
  readonly body: string | Buffer
  /** With a body, Content-Type defaults to JSON. */
  readonly headers: Readonly<Record<string, string>>
  /** Set for a page of a list, unless it is the last. */
  readonly next?: NextPage | undefined
}

/** An answer that is too long to be built in one piece. */
export interface ChunkedAnswer {
  readonly status: number
  /** Including Content-Type. */
  readonly headers: Readonly<Record<string, string>>
  /** Texts of about PIECE_BYTES each (see shared/budget/pace.ts); a failure before the first is answered as a problem. */
  readonly makeChunk: Piecewise<string>
  /** As in Answer. */
  readonly next?: NextPage | undefined
}

/**
 * Makes the next piece of something long, or undefined after the last. Not a generator: one that waits keeps its
 * variables, here pieces that a caller may take minutes to read.
 */
export type Piecewise<Piece> = () => Promise<Piece | undefined>

/** There is nothing to answer yet. While the caller waits, nothing is charged or kept for it. */
export interface Later {
  /** Resolves when it is time to ask again. */
  wait(leaving: AbortSignal): Promise<void>
  answer(context: CallContext): Promise<Answer | Later>
}

/** The requested record as JSON, or 304 if the caller already has this version. */
export function found(json: string, version: number, ifNoneMatch: TagCondition | undefined): Answer {
  const headers = { ETag: etagOf(version) }
  if (ifNoneMatch && namesTag(ifNoneMatch, String(version))) return { status: 304, body: '', headers }
  return { status: 200, body: json, headers }
}

/** The outcome of a write. `replayed`: an earlier request with the same commitId had already done it. */
interface Written<Message> {
  readonly message: Message
  readonly toRecord: (message: Message) => object
  readonly replayed: boolean
  readonly context: CallContext
}

/** A record after a write; with `location` if the write created it. */
export function written<Message extends { readonly version: number }>(
  { message, toRecord, replayed, context }: Written<Message>,
  location?: string,
): Answer {
  const headers = {
    ETag: etagOf(message.version),
    ...(location !== undefined && { Location: location }),
    // Without an Idempotency-Key a replay is only this gateway's own retry, which doesn't concern the caller.
    ...(replayed && context.requestHash !== undefined && { 'Idempotency-Replayed': 'true' }),
  }
  return { status: location === undefined ? 200 : 201, body: JSON.stringify(toRecord(message)), headers }
}

/** A page of a list, as JSON; with `next` if there is another one after it. */
export function listed(json: string | Buffer, next?: NextPage): Answer {
  return { status: 200, body: json, headers: {}, next }
}

/** Unwraps the record that a service's answer must contain. */
export function present<Record>(record: Record | undefined): Record {
  if (record === undefined) throw new Error('a service answered without the record')
  return record
}
