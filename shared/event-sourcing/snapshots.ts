/**
 * A view stores a snapshot of an aggregate's whole state about once every this many versions. Reading a past state then
 * takes at most about that many events, however long the stream: 640 KB for events of 10,000 characters each.
 */
export const SNAPSHOT_INTERVAL = 64

/** Whether a snapshot is stored on advancing from one version to another. */
export function leavesSnapshot(from: number, to: number): boolean {
  return Math.floor(to / SNAPSHOT_INTERVAL) > Math.floor(from / SNAPSHOT_INTERVAL)
}
