/**
 * A view stores a snapshot of an aggregate, its whole state, about every so many versions. So a state of the past is a
 * read of at most about so many events, however long the stream: 640 KB of events with 10,000 characters each.
 */
export const SNAPSHOT_INTERVAL = 64

/** Whether an aggregate that goes from one version to another leaves a snapshot of the other one behind. */
export function leavesSnapshot(from: number, to: number): boolean {
  return Math.floor(to / SNAPSHOT_INTERVAL) > Math.floor(from / SNAPSHOT_INTERVAL)
}
