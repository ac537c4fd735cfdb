import { randomUUID } from 'node:crypto'
import { v7 } from 'uuid'

/** A new UUID, version 7 (ordered by time of making), lower case. */
export function newUuid(): string {
  return v7()
}

/** An id for a commit that nobody will ask for again. */
export function randomCommitId(): string {
  return randomUUID()
}

/** An id for a request: at random, because it is made for every one of them and orders nothing. */
export function newRequestId(): string {
  return randomUUID()
}
