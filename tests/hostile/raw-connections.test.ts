import { describeWithMemoryLimit } from '../support/memory-limit.ts'
import { RAW_ATTACKS, staysWithinMemoryUnder } from './raw-connections.ts'

/** One of each kind: static files, answers and bodies, from senders that never read. */
const TYPICAL: readonly (keyof typeof RAW_ATTACKS)[] = [
  '400 pipelined GETs of a file on a connection that never reads',
  'the same on 200 connections',
  '250 concurrent lists that are never read',
  'bodies in chunks of one byte on 50 connections',
]

describeWithMemoryLimit('Mint stays within the memory of its container under', () => {
  staysWithinMemoryUnder(Object.fromEntries(TYPICAL.map((what) => [what, RAW_ATTACKS[what]])))
})
