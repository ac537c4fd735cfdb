import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Collection, Db } from 'mongodb'
import type { Lease, LeasedCheckpoints } from '../../event-sourcing/leased-checkpoints.ts'
import type { AnyViewDefinition } from '../../event-sourcing/view.ts'
import { createWaker } from '../../event-sourcing/waker.ts'
import type { CommitDocument } from './commit-document.ts'
import { readOutlines } from './log-outline.ts'
import { createSearchIndexes, enterRows, searchCheckpoint } from './search-index.ts'
import type { ViewCheckpoints } from './view-checkpoints.ts'
import { rowsOf } from './view-row.ts'

/** Commits entered in one step. */
const STEP = 1_000
/** Between two rounds, and how often to look when nothing wakes it, in milliseconds. */
const ROUND_INTERVAL = 250
const IDLE_INTERVAL = 5_000
const LEASE_MILLISECONDS = 30_000

export interface SearchFillerParts {
  readonly db: Db
  readonly log: Collection<CommitDocument>
  readonly leases: LeasedCheckpoints
  readonly checkpoints: ViewCheckpoints
  readonly views: readonly AnyViewDefinition[]
  /** From how many rows on a view gets its search collection. */
  readonly gramsFrom: number
}

/** Fills the search collections behind the views' checkpoints: in one process at a time, by a lease. */
export function followWithSearch(parts: SearchFillerParts): { wake(): void; stop(): Promise<void> } {
  const waker = createWaker()
  const holder = randomUUID()
  let stopping = false

  const run = async (): Promise<void> => {
    while (!stopping) {
      // What is not entered is still found by those who search (see search-query.ts); the next round tries again.
      for (const view of parts.views) await enterNews(parts, view, holder, () => stopping).catch(() => undefined)
      if (!stopping) await waker.sleep(IDLE_INTERVAL)
      if (!stopping) await delay(ROUND_INTERVAL)
    }
  }
  const running = run()
  return {
    wake: () => waker.wake(),
    stop() {
      stopping = true
      waker.wake()
      return running
    },
  }
}

async function enterNews(
  parts: SearchFillerParts,
  definition: AnyViewDefinition,
  holder: string,
  isStopping: () => boolean,
): Promise<void> {
  const name = searchCheckpoint(definition)
  const view = await parts.checkpoints.read(definition)
  if (view === undefined || view.count < parts.gramsFrom) return
  if ((await parts.leases.read(name)) >= view.position) return
  const lease = await parts.leases.acquire(name, holder, LEASE_MILLISECONDS)
  if (lease === undefined) return
  try {
    await createSearchIndexes(parts.db, definition)
    await enterUpTo(parts, { definition, lease, end: view.position, isStopping })
  } finally {
    await lease.release()
  }
}

interface Filling {
  readonly definition: AnyViewDefinition
  readonly lease: Lease
  /** The view's checkpoint: up to it, rows are complete and nothing undoes them. */
  readonly end: number
  isStopping(): boolean
}

async function enterUpTo(
  { db, log }: SearchFillerParts,
  { definition, lease, end, isStopping }: Filling,
): Promise<void> {
  let { position } = lease
  while (position < end && !isStopping()) {
    const outlines = await readOutlines(log, position, STEP)
    const known = outlines.filter(({ lastPosition }) => lastPosition <= end)
    const last = known.at(-1)
    if (last === undefined) return
    const ids = known.filter(({ category }) => category === definition.category).map(({ id }) => id)
    const rows = await rowsOf(db, definition)
      .find({ _id: { $in: ids } })
      .toArray()
    await enterRows(db, definition, rows)
    if (!(await lease.advance(last.lastPosition))) return
    position = last.lastPosition
  }
}
