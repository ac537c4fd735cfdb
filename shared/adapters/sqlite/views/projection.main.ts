import type { LogEvent } from '../../../event-sourcing/event.ts'
import type { AnyViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { type FoldBatch, foldBatch } from '../../../event-sourcing/projector.ts'
import { leavesSnapshot } from '../../../event-sourcing/snapshots.ts'
import { reading } from '../file/failures.ts'
import type { Statements } from '../file/statements.ts'
import { encodeVersion } from '../sums/encoded-version.ts'
import type { ProjectOperation, ViewChange } from '../writing/write-operations.ts'
import type { Writer } from '../writing/writer.main.ts'
import type { RecentRows } from './recent-rows.main.ts'
import { findRow } from './stored-rows.main.ts'
import { decodeRow, encodeRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** The parts of an open file that building views needs. */
export interface ViewFile {
  readonly writer: Writer
  readonly statements: Statements
}

/** The tables that rows are written to, and the cache of their rows if these are read meanwhile. */
interface Target {
  readonly definition: AnyViewDefinition
  readonly tables: () => ViewTables
  readonly recent?: RecentRows
}

/** The result of folding a batch of events into one view: what to write, and its rows by id. */
interface Folded extends Pick<ProjectOperation, 'changes'> {
  readonly target: Target
  readonly byId: ReadonlyMap<string, ViewRow>
}

/**
 * Creates a projection onto tables that nothing else writes to. It folds a batch of the log on the main thread while
 * the writer thread writes the previous one.
 */
export function createProjection(
  { writer, statements }: ViewFile,
  targets: readonly Target[],
  foldInto: FoldBatch = foldBatch,
) {
  let inProgress: { readonly folded: readonly Folded[]; readonly end: Promise<void> } | undefined

  function fold(target: Target, events: readonly LogEvent[]): Folded {
    const { definition, tables } = target
    const { name } = definition
    const { generation } = tables()
    const before = inProgress?.folded.find((one) => one.target === target)
    const current = (id: string): ViewRow | undefined => {
      const row = before?.byId.get(id)
      if (row) return row
      const stored = findRow(statements, tables(), id)
      return stored && decodeRow(definition, stored)
    }
    const changes: ViewChange[] = []
    const rows = reading(() =>
      foldInto(definition, events, current, (row, before) => {
        const snapshot = leavesSnapshot(before, row.version) ? encodeRow(definition, row) : undefined
        const version = encodeVersion(definition, row)
        if (snapshot || version) changes.push({ view: name, generation, snapshot, version })
      }),
    )
    for (const row of rows) changes.push({ view: name, generation, row: encodeRow(definition, row) })
    return { target, byId: new Map(rows.map((row) => [row.id, row])), changes }
  }

  async function write(folded: readonly Folded[], follows: ProjectOperation['follows']): Promise<void> {
    const changes = folded.flatMap((one) => one.changes)
    for (const { target, byId } of folded) for (const id of byId.keys()) target.recent?.beginWrite(id)
    try {
      await writer.write({ kind: 'project', changes, ...(follows && { follows }) })
    } finally {
      for (const { target, byId } of folded) for (const id of byId.keys()) target.recent?.endWrite(id)
    }
  }

  async function written(): Promise<void> {
    const { end } = inProgress ?? {}
    await end?.finally(() => {
      inProgress = undefined
    })
  }

  return {
    /**
     * Folds events, which must follow the previous ones. Resolves when it may be called again, which may be before the
     * rows can be read. Throws StoreUnavailable when earlier ones couldn't be written; no write is then in progress.
     */
    async apply(events: readonly LogEvent[], follows?: ProjectOperation['follows']) {
      if (events.length === 0) return
      const folded = targets.map((target) => fold(target, events))
      await written()
      const end = write(folded, follows)
      // Awaited by `written`; silences the unhandled-rejection warning until then.
      end.catch(() => undefined)
      inProgress = { folded, end }
    },
    /** Waits until the rows of everything applied can be read. Throws like `apply`. */
    written,
  }
}
