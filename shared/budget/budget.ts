import { totalmem } from 'node:os'
import { countedAddress } from '../calls/counted-address.ts'
import { createPool, type Pool, type Share } from './pool.ts'

/**
 * What all callers together can make a process hold: answers being built or waiting to be taken, bodies, streams.
 * Everything that answers or reads charges it before the bytes are there, and releases it when they are sent or dropped.
 */
export interface MemoryBudget {
  /** Of a caller with a valid API key, by its principal. */
  ofKey(id: string): Share
  /** Of whoever has shown no valid key, by address; all of them together have a part of their own. */
  ofAddress(address: string): Share
  readonly pools: Readonly<Record<'keys' | 'addresses', Pool>>
}

const MEGABYTE = 2 ** 20
/** Of a container's memory; the rest is for the process itself, and for what the runtime has not collected yet. */
const SHARE_OF_MEMORY = 1 / 4
const [MIN_BYTES, MAX_BYTES] = [32 * MEGABYTE, 512 * MEGABYTE]

/** Creates the budget of a process that may use this many bytes of memory: by default its container's or machine's. */
export function createBudget(memory = Math.min(process.constrainedMemory(), totalmem())): MemoryBudget {
  const bytes = Math.min(MAX_BYTES, Math.max(MIN_BYTES, memory * SHARE_OF_MEMORY))
  // One key, or one address, always leaves a part for others.
  const keys = createPool({ bytes: (bytes * 3) / 4, each: bytes / 2 })
  const addresses = createPool({ bytes: bytes / 4, each: bytes / 8 })
  return {
    ofKey: (id) => keys.of(id),
    ofAddress: (address) => addresses.of(countedAddress(address)),
    pools: { keys, addresses },
  }
}
