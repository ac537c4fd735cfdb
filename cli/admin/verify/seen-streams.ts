import type { StreamName } from '../../../shared/event-sourcing/event.ts'
import { createFingerprints } from './fingerprints.ts'

/** The streams that a log has. */
export interface SeenStreams {
  /** False when it was seen before. */
  add(stream: StreamName): boolean
  has(stream: StreamName): boolean
  /** By category. */
  readonly counts: ReadonlyMap<string, number>
  /** The highest id of each category whose ids are numbers. */
  readonly highestNumbers: ReadonlyMap<string, number>
}

/** None yet; each takes some bytes, however long its id. */
export function createSeenStreams(): SeenStreams {
  const seen = createFingerprints()
  const counts = new Map<string, number>()
  const highestNumbers = new Map<string, number>()
  return {
    add(stream) {
      if (!seen.add(nameOf(stream))) return false
      counts.set(stream.category, (counts.get(stream.category) ?? 0) + 1)
      const number = Number(stream.id)
      if (number > (highestNumbers.get(stream.category) ?? 0)) highestNumbers.set(stream.category, number)
      return true
    },
    has: (stream) => seen.has(nameOf(stream)),
    counts,
    highestNumbers,
  }
}

const nameOf = ({ category, id }: StreamName): string => `${category}/${id}`
