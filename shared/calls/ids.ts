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
 * An id for a commit that will never be searched for. It begins with the time, so that the index of commits grows at its
 * end: fully random ids touch a different page each, which took a seventh of SQLite's time for an append.
 */
export function randomCommitId(): string {
  return randomUUIDv7()
}

/** The commitId for an Idempotency-Key chosen by a principal, unique to that principal. */
export function commitIdOfKey(principal: string, name: string): string {
  return hash('sha256', `${principal}\n${name}`)
}

/**
 * The commitId of one of several writes of a request, counted from 1. The first has the commitId of the request, so that
 * it and a single write under the same Idempotency-Key find each other.
 */
export function commitIdOfPart(commitId: string, number: number): string {
  return number === 1 ? commitId : hash('sha256', `${commitId}\n${number}`)
}

/** A random id for a request: their order doesn't matter. */
export function newRequestId(): string {
  return randomUUID()
}
