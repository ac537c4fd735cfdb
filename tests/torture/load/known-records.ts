import type { Moment, VersionedRow } from '../history.ts'
import type { VersionedClosing } from '../history-of-closings.ts'
import type { Random } from '../random.ts'

/** A record that many clients edit and read at once, as one of them saw it last. */
export interface HotRecord {
  readonly id: number
  /** Undefined before the first edit. */
  seen: VersionedRow | undefined
  /** The last ones that an edit tried to set as its serviceType. */
  words: string[]
  /** How many operations it is hot for. */
  left: number
}

/** A business that is renamed again and again. */
export interface KnownBusiness {
  readonly id: string
  readonly clientId: string
}

/** What the clients know of the records that were created. */
export interface KnownRecords {
  add(id: number): void
  hot(): HotRecord | undefined
  recent(): number | undefined
  /** An id that was not seen yet, and may be used next. */
  next(): number
  readonly businesses: KnownBusiness[]
  /** As of when reports of now were, in milliseconds since the epoch, and when they were answered. */
  readonly moments: { readonly asOf: number; readonly answered: Moment }[]
  /** As it was acknowledged last. */
  closing: VersionedClosing | undefined
}

const HOT = 4
/** So few operations for each that the histories stay quick to check. */
const OPERATIONS = 300
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
      if (hot.length < HOT) hot.push({ id, seen: undefined, words: [], left: OPERATIONS })
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
