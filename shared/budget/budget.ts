import { totalmem } from 'node:os'
import { countedAddress } from '../calls/counted-address.ts'
import { createPool, type Pool, type Share } from './pool.ts'

/**
 * Bounds the memory that all callers together make a process hold: answers being built or waiting to be sent, bodies,
 * streams. Code that answers or reads charges the budget before it allocates, and releases it when the bytes are sent or
 * dropped.
 */
export interface MemoryBudget {
  /** The share of a principal with a valid API key. */
  ofKey(id: string): Share
  /** The share of an address without a valid key. Addresses have a pool of their own. */
  ofAddress(address: string): Share
  readonly pools: Readonly<Record<'keys' | 'addresses', Pool>>
}

const MEGABYTE = 2 ** 20
/** The part of a container's memory; the rest is for the process itself, and for garbage not yet collected. */
const SHARE_OF_MEMORY = 1 / 4
const [MIN_BYTES, MAX_BYTES] = [32 * MEGABYTE, 512 * MEGABYTE]

/** Creates the budget of a process that may use this much memory, in bytes: by default all of its container or machine. */
export function createBudget(memory = memoryOf(process)): MemoryBudget {
  const bytes = Math.min(MAX_BYTES, Math.max(MIN_BYTES, memory * SHARE_OF_MEMORY))
  // One key, or one address, always leaves room for others.
  const keys = createPool({ bytes: (bytes * 3) / 4, each: bytes / 2 })
  const addresses = createPool({ bytes: bytes / 4, each: bytes / 8 })
  return {
    ofKey: (id) => keys.of(id),
    ofAddress: (address) => addresses.of(countedAddress(address)),
    pools: { keys, addresses },
  }
}

/** Node gives 0 where it knows of no limit: on macOS, Windows, and Linux without mounted control groups. */
export const memoryOf = ({ constrainedMemory }: Pick<NodeJS.Process, 'constrainedMemory'>): number =>
  Math.min(constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())
