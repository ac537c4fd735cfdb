import type { RecordJson } from '../api/json.ts'

/** A contract whose part in the sums changed; a side is null where it wasn't in the closed period. */
export interface Change {
  readonly contractId: number
  readonly before: RecordJson | null
  readonly after: RecordJson | null
  readonly at: string
  readonly by: string
  readonly byName: string | null
  /** Since when its days have been closed. */
  readonly since?: string
}

/** What has changed in days that were closed: the newest changes, and how many there are. */
export interface Changes {
  readonly changes: readonly Change[]
  readonly total: number
}

/**
 * The changes of several spans, newest first. A contract that moved from one of them to another has left the one and is
 * new in the other: to the reader, that is one change.
 */
export function changesOfSpans(pages: readonly Changes[]): Changes {
  const all = pages.flatMap(({ changes }) => changes)
  const changes = withMovesMerged(all.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at)))
  return {
    changes,
    total: pages.reduce((sum, { total }) => sum + total, 0) - (all.length - changes.length),
  }
}

function withMovesMerged(newestFirst: readonly Change[]): readonly Change[] {
  const merged: Change[] = []
  for (const change of newestFirst) {
    const index = merged.findIndex((newer) => isMove(newer, change))
    const newer = merged[index]
    if (newer === undefined) merged.push(change)
    else merged[index] = { ...newer, before: newer.before ?? change.before, after: newer.after ?? change.after }
  }
  return merged
}

/** Whether in one of two changes a contract leaves a span, and in the other it enters another. */
function isMove(one: Change, other: Change): boolean {
  if (one.contractId !== other.contractId) return false
  return one.before === null ? other.after === null : one.after === null && other.before === null
}
