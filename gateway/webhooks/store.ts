import { coalescingRuns } from '../../shared/async/coalesced-runs.ts'
import { piecesOf } from '../../shared/budget/pace.ts'
import type { DocumentChange, Documents } from '../../shared/event-sourcing/ports/documents.ts'
import type { Lease } from '../../shared/event-sourcing/ports/leased-checkpoints.ts'

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

interface DeliveryStoreOptions {
  /** Of the process that may write. */
  readonly lease?: Pick<Lease, 'expiresAt'>
  /** False once another process may store something newer. */
  readonly mayWrite: () => boolean
  /** Calls `change` with what has changed since the last round. */
  readonly collect: () => void
}

/** Writes what all webhooks have to store, in rounds. */
export function createDeliveryStore(
  documents: Pick<Documents, 'write' | 'read'>,
  { lease, mayWrite, collect }: DeliveryStoreOptions,
) {
  /** Not durable yet. */
  const changes = new Map<string, string | undefined>()
  let begun = 0
  let written = 0

  const { run: save } = coalescingRuns(async () => {
    const round = ++begun
    collect()
    for (const writing of piecesOf([...changes], lengthOf)) {
      if (!mayWrite()) throw new Error('this process may no longer deliver')
      await documents.write(writing, lease)
      for (const [key, text] of writing) if (changes.get(key) === text) changes.delete(key)
    }
    written = round
  })

  return {
    /** Comes after all earlier changes, even of the same document: events are stored before the progress past them. */
    change(...[key, text]: DocumentChange): void {
      changes.delete(key)
      changes.set(key, text)
    },
    /** Writes everything changed so far. Throws StoreUnavailable; then the next round writes it. */
    save,
    /** The round that writes what changes now. */
    nextRound: (): number => begun + 1,
    isDurable: (round: number): boolean => round <= written,
    /** The text of a document as it was last changed. */
    read: async (key: string): Promise<string | undefined> =>
      changes.has(key) ? changes.get(key) : await documents.read(key),
  }
}

const lengthOf = ([key, text = '']: DocumentChange): number => key.length + text.length
