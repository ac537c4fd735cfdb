import type { Collection } from 'mongodb'
import type { PrimaryBarrier } from '../primary-barrier.ts'
import type { RowDocument } from './view-row.ts'

/** Reads one row of a view by its id; undefined when there is none. */
export type RowReader = (id: string) => Promise<RowDocument | undefined>

/** Two, so that one slow answer doesn't hold up everybody. */
const MOST_IN_FLIGHT = 2

interface Group {
  readonly ids: Set<string>
  readonly found: Promise<ReadonlyMap<string, RowDocument>>
}

/**
 * Reads that come in one turn of the event loop, or while others are under way, go together in one query: at 64
 * callers that takes a tenth of the processor time of a query each. A read never joins a query that was sent before
 * it came, so that it sees whatever was visible by then.
 */
export function createRowReader(rows: Collection<RowDocument>, barrier: PrimaryBarrier): RowReader {
  let open: Group | undefined
  let inFlight = 0
  const turns: (() => void)[] = []

  function openGroup(): Group {
    const ids = new Set<string>()
    const find = () => rows.find({ _id: { $in: [...ids] } }, { batchSize: ids.size + 1 }).toArray()
    const found = takeTurn().then(async () => {
      open = undefined
      try {
        const documents = await barrier.read(find)
        return new Map(documents.map((document) => [document._id, document]))
      } finally {
        passTurn()
      }
    })
    return { ids, found }
  }

  async function takeTurn(): Promise<void> {
    await new Promise(setImmediate)
    if (inFlight < MOST_IN_FLIGHT) inFlight += 1
    else await new Promise<void>((resolve) => turns.push(resolve))
  }

  function passTurn(): void {
    const next = turns.shift()
    if (next === undefined) inFlight -= 1
    else next()
  }

  return async (id) => {
    open ??= openGroup()
    open.ids.add(id)
    return (await open.found).get(id)
  }
}
