import { hash, randomUUID, randomUUIDv7 } from 'node:crypto'
import { v7 } from 'uuid'

/** A new UUID, version 7 (ordered by time of making), lower case. */
export function newUuid(): string {
  return v7()
}

/** Whether a UUID in lower case is of version 7, as all are that `newUuid` makes. */
export function isUuidVersion7(uuid: string): boolean {
  return uuid[14] === '7' && /[89ab]/.test(uuid[19] ?? '')
}

/**
 * An id for a commit that nobody will ask for again. It begins with the time, so that an index of commits grows at its
 * end: of ids wholly at random each lies in a page of its own, which was a seventh of SQLite's work for an append.
 */
export function randomCommitId(): string {
  return randomUUIDv7()
}

/** The id of the commit that a caller with this API key names so: unique to that key. */
export function commitIdOfKey(apiKeyId: string, name: string): string {
  return hash('sha256', `${apiKeyId}\n${name}`)
}

/** An id for a request: at random, because it is made for every one of them and orders nothing. */
export function newRequestId(): string {
  return randomUUID()
}
