import type { Position } from '../event.ts'

/** The right to move one checkpoint, held by one process at a time. */
export interface Lease {
  /** The checkpoint when the lease was acquired. */
  readonly position: Position
  /** When it expires, by the engine's clock, unless it is renewed. Absent if only one process uses the engine. */
  readonly expiresAt?: () => Date
  /** Moves the checkpoint forward and renews the lease. False once it was released, or taken over: stop at once. */
  advance(position: Position): Promise<boolean>
  /** Renews the lease without moving the checkpoint. False, like `advance`, once it was released or taken over. */
  renew(): Promise<boolean>
  /** Releases the lease, so that the next holder can take it at once. */
  release(): Promise<void>
}

/** Named checkpoints that only move forward, each guarded by a lease whose epoch increases with every holder. */
export interface LeasedCheckpoints {
  /** Acquires the lease; undefined while another holder's has not expired. */
  acquire(name: string, holder: string, ttlMilliseconds: number): Promise<Lease | undefined>
  /** The checkpoint; BEGINNING when it never moved. */
  read(name: string): Promise<Position>
  /** Resets the checkpoint to the beginning, so that everything is published again. */
  reset(name: string): Promise<void>
}
