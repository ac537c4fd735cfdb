import { coalescingRuns } from '../../shared/async/coalesced-runs.ts'
import type { DocumentChange, Documents } from '../../shared/event-sourcing/ports/documents.ts'

/** Adds what has changed since the last call. */
type Collect = (change: (...change: DocumentChange) => void) => void

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

/**
 * Writes what all webhooks have to store, in batches. What is marked in one round of writing is durable after the next:
 * `mark` returns the number of that round, for `isDurable`. `mayWrite`: false once another process may store something
 * newer.
 */
export function createDeliveryStore(documents: Documents, mayWrite: () => boolean) {
  let pending = new Map<string, string | undefined>()
  let writing: ReadonlyMap<string, string | undefined> = new Map()
  const marked = new Set<Collect>()
  let round = 1
  let written = 0

  /** Comes after all earlier changes, even of the same document: held events are stored before the progress past them. */
  function change(...[key, text]: DocumentChange): void {
    pending.delete(key)
    pending.set(key, text)
  }

  async function writeRound(): Promise<void> {
    if (!mayWrite()) throw new Error('this process may no longer deliver')
    const ending = round++
    for (const collect of marked) collect(change)
    marked.clear()
    writing = pending
    pending = new Map()
    try {
      await documents.write([...writing])
      written = ending
    } catch (error) {
      pending = new Map([...writing, ...pending])
      throw error
    } finally {
      writing = new Map()
    }
  }

  const { run: flush } = coalescingRuns(writeRound)
  return {
    change,
    /** Calls `collect` when the next round begins. */
    mark(collect: Collect): number {
      marked.add(collect)
      return round
    },
    isDurable: (of: number): boolean => of <= written,
    /** Writes everything marked so far. Throws StoreUnavailable, and writes it with the next round. */
    flush,
    /** Whether there is anything to write. */
    isDirty: (): boolean => marked.size + pending.size > 0,
    /** The text of a document as it was last changed. */
    async read(key: string): Promise<string | undefined> {
      for (const changes of [pending, writing]) if (changes.has(key)) return changes.get(key)
      return await documents.read(key)
    },
  }
}
