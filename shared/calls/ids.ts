import { hash, randomUUID, randomUUIDv7 } from 'node:crypto'
import { v7 } from 'uuid'

/** A new UUID, version 7 (ordered by creation time), lower case. */
export function newUuid(): string {
  return v7()
}

/** Whether a lower-case UUID is of version 7, like those from `newUuid`. */
export function isUuidVersion7(uuid: string): boolean {
  return uuid[14] === '7' && /[89ab]/.test(uuid[19] ?? '')
}

/**
 * An id for a commit that nobody will ask for again. It begins with the time, so that the index of commits grows at its
 * end: fully random ids each touch a page of their own, which was a seventh of SQLite's work for an append.
 */
export function randomCommitId(): string {
  return randomUUIDv7()
}

/** The commitId for a name chosen by a caller with a key of this principal: unique to them. */
export function commitIdOfKey(principal: string, name: string): string {
  return hash('sha256', `${principal}\n${name}`)
}

/**
 * The commitId of one of several writes of a request, counted from 1. The first has the request's own, so that a single
 * write with the same Idempotency-Key finds it, and the other way round.
 */
export function commitIdOfPart(commitId: string, number: number): string {
  return number === 1 ? commitId : hash('sha256', `${commitId}\n${number}`)
}

/** An id for a request: random, since one is made for every request and order doesn't matter. */
export function newRequestId(): string {
  return randomUUID()
}
