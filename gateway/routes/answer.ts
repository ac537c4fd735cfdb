import type { CallContext } from '../../shared/call-context.ts'
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
export interface AnswerInParts {
  readonly status: number
  /** Content-Type among them. */
  readonly headers: Readonly<Record<string, string>>
  /** Texts of some kilobytes each; what fails before the first is answered as a problem. */
  readonly parts: AsyncIterable<string>
  /** Each part is made in its turn. */
  readonly turns: OneAtATime
}

/** A record that was asked for, as JSON, or 304 when the caller has this version already. */
export function found(json: string, version: number, ifNoneMatch: TagCondition | undefined): Answer {
  const headers = { ETag: etagOf(version) }
  if (ifNoneMatch && namesVersion(ifNoneMatch, version)) return { status: 304, body: '', headers }
  return { status: 200, body: json, headers }
}

/**
 * Whether a write's answer is the remembered one to an earlier request with the same Idempotency-Key. Without a key a
 * replay is only this gateway's own second sending, which the caller knows nothing of.
 */
export function isRemembered({ replayed }: { readonly replayed: boolean }, { requestHash }: CallContext): boolean {
  return replayed && requestHash !== undefined
}

/** A record as it was created. */
export function created(record: object, version: number, location: string, remembered: boolean): Answer {
  const headers = { ETag: etagOf(version), Location: location, ...replayedHeader(remembered) }
  return { status: 201, body: JSON.stringify(record), headers }
}

/** A record as it was after an edit. */
export function edited(record: object, version: number, remembered: boolean): Answer {
  return {
    status: 200,
    body: JSON.stringify(record),
    headers: { ETag: etagOf(version), ...replayedHeader(remembered) },
  }
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

function replayedHeader(remembered: boolean): { 'Idempotency-Replayed'?: string } {
  return remembered ? { 'Idempotency-Replayed': 'true' } : {}
}
