import type { Collection } from 'mongodb'
import { BEGINNING, type Position } from '../../../event-sourcing/event.ts'
import { type CommitDocument, lastPosition } from './commit-document.ts'

/** Consecutive commits of the log. */
export interface LogWindow {
  readonly commits: readonly CommitDocument[]
  /** Position of its last event. */
  readonly end: Position
}

/** Goes through the whole log in order, always reading the next commits while the caller is at the ones before. */
export async function* readWindows(log: Collection<CommitDocument>, size: number): AsyncGenerator<LogWindow> {
  const readAfter = (position: Position) =>
    log.find({ _id: { $gt: position } }, { sort: { _id: 1 }, limit: size, batchSize: size + 1 }).toArray()
  let next = readAfter(BEGINNING)
  for (;;) {
    const commits = await next
    const last = commits.at(-1)
    if (last === undefined) return
    const end = lastPosition(last)
    next = readAfter(end)
    // It may fail while nobody waits for it yet.
    next.catch(() => undefined)
    yield { commits, end }
  }
}
