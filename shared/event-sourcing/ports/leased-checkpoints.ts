import type { Position } from '../event.ts'

/** The right to move one checkpoint, held by one process at a time. */
export interface Lease {
  /** Where the checkpoint stood when the lease was taken. */
  readonly position: Position
  /** Moves the checkpoint forward and renews the lease. False when another holder has taken over: stop at once. */
  advance(position: Position): Promise<boolean>
  /** Keeps the lease without moving. False as for advance. */
  renew(): Promise<boolean>
  /** Lets the next holder in at once. */
  release(): Promise<void>
}

/** Named checkpoints that only move forward, each guarded by a lease whose epoch rises with every holder. */
export interface LeasedCheckpoints {
  /** Takes the lease, or answers undefined while another holder's has not run out. */
  acquire(name: string, holder: string, ttlMilliseconds: number): Promise<Lease | undefined>
  /** Where the checkpoint stands; BEGINNING when it never moved. */
  read(name: string): Promise<Position>
  /** Sets the checkpoint back to the beginning, so that everything is published again. */
  reset(name: string): Promise<void>
}
