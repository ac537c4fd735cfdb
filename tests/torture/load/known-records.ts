import type { Moment, VersionedRow } from '../history.ts'
import type { VersionedClosing } from '../history-of-closings.ts'
import type { Random } from '../random.ts'

/** A record that many clients edit and read concurrently, as one of them last saw it. */
export interface HotRecord {
  readonly id: number
  /** Undefined before the first edit. */
  seen: VersionedRow | undefined
  /** The last words that an edit tried to set as its serviceType. */
  words: string[]
  /** How many operations it stays hot for. */
  left: number
}

/** A business that is repeatedly renamed. */
export interface KnownBusiness {
  readonly id: string
  readonly clientId: string
}

/** What the clients know about the created records. */
export interface KnownRecords {
  add(id: number): void
  hot(): HotRecord | undefined
  recent(): number | undefined
  /** An id that hasn't been seen yet, and may be the next. */
  next(): number
  readonly businesses: KnownBusiness[]
  /** The moments of current reports, in milliseconds since the epoch, and when they were answered. */
  readonly moments: { readonly asOf: number; readonly answered: Moment }[]
  /** The last acknowledged closing. */
  closing: VersionedClosing | undefined
}

const MAX_HOT = 4
/** Few enough per record that the histories stay fast to check. */
const OPERATIONS_PER_RECORD = 300
const RECENT = 50

export function knownRecords(random: Random): KnownRecords {
  const recent: number[] = []
  let hot: HotRecord[] = []
  let highest = 0
  return {
    businesses: [],
    moments: [],
    closing: undefined,
    add(id) {
      highest = Math.max(highest, id)
      recent.push(id)
      if (recent.length > RECENT) recent.shift()
      hot = hot.filter(({ left }) => left > 0)
      if (hot.length < MAX_HOT) hot.push({ id, seen: undefined, words: [], left: OPERATIONS_PER_RECORD })
    },
    hot() {
      if (hot.length === 0) return undefined
      const found = random.pick(hot)
      found.left--
      return found
    },
    recent: () => (recent.length === 0 ? undefined : random.pick(recent)),
    next: () => highest + random.between(1, 3),
  }
}
