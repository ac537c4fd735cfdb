import type { Db } from 'mongodb'
import type { AnyViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { writeRows } from './row-commands.ts'
import { type RowDocument, toRowDocument } from './view-row.ts'

export interface RowWriter {
  /** Answers when every row, or a newer one, is visible to readers of the primary. */
  write(rows: readonly ViewRow[]): Promise<void>
  /** Answers when nothing is under way. */
  drain(): Promise<void>
}

/** Rows that arrive while others of their view are being written go together in the next write. */
export function createRowWriter(db: Db, views: ReadonlyMap<string, AnyViewDefinition>): RowWriter {
  const writers = new Map([...views].map(([name]) => [name, createGroupedWrites(db, name)]))
  return {
    async write(rows) {
      await Promise.all(
        rows.map(async (row) => {
          const definition = views.get(row.view)
          const writer = writers.get(row.view)
          // A view of another process: its catch-up makes the row.
          if (!definition || !writer) return
          await writer.write(toRowDocument(definition, row))
        }),
      )
    },
    async drain() {
      await Promise.all([...writers.values()].map((writer) => writer.drain()))
    },
  }
}

interface GroupedWrites {
  write(row: RowDocument): Promise<void>
  drain(): Promise<void>
}

interface Group {
  readonly rows: Map<string, RowDocument>
  readonly written: Promise<void>
}

function createGroupedWrites(db: Db, collection: string): GroupedWrites {
  let waiting: Group | undefined
  let previous: Promise<unknown> = Promise.resolve()

  function openGroup(): Group {
    const rows = new Map<string, RowDocument>()
    const written = previous.then(() => {
      waiting = undefined
      return writeRows({ db, collection, durability: 'memory' }, [...rows.values()])
    })
    previous = written.catch(() => undefined)
    return { rows, written }
  }

  return {
    write(row) {
      waiting ??= openGroup()
      const known = waiting.rows.get(row._id)
      if (known === undefined || known.version < row.version) waiting.rows.set(row._id, row)
      return waiting.written
    },
    async drain() {
      await previous
    },
  }
}
