import type { LogEvent } from '../../../event-sourcing/event.ts'
import type { AnyViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { type FoldBatch, foldBatch } from '../../../event-sourcing/projector.ts'
import { leavesSnapshot } from '../../../event-sourcing/snapshots.ts'
import { reading } from '../file/failures.ts'
import type { Statements } from '../file/statements.ts'
import { type EncodedVersion, encodeVersion } from '../sums/encoded-version.ts'
import type { ProjectOperation } from '../writing/write-operations.ts'
import type { Writer } from '../writing/writer.main.ts'
import type { RecentRows } from './recent-rows.main.ts'
import { findRow } from './stored-rows.main.ts'
import { decodeRow, encodeRow } from './view-shape.ts'
import type { ViewTables } from './view-tables.ts'

/** With this many batches being written, the next one waits: this bounds memory, and neither thread waits for long. */
const BATCHES_IN_PROGRESS = 2

/** What of an open file views are built with. */
export interface ViewFile {
  readonly writer: Writer
  readonly statements: Statements
}

/** The tables that rows are written to, and the cache of their rows if they are read meanwhile. */
interface Target {
  readonly definition: AnyViewDefinition
  readonly tables: () => ViewTables
  readonly recent?: RecentRows
}

/** The result of folding a batch of events into one view. */
interface Folded {
  readonly target: Target
  /** By id. */
  readonly rows: ReadonlyMap<string, ViewRow>
  readonly snapshots: readonly ViewRow[]
  readonly versions: readonly EncodedVersion[]
}

/**
 * Creates a projection onto tables that nobody else writes to. It reads and folds the log on the main thread, and
 * writes on the writer thread.
 */
export function createProjection(
  { writer, statements }: ViewFile,
  targets: readonly Target[],
  foldInto: FoldBatch = foldBatch,
) {
  const inProgress: { readonly folded: readonly Folded[]; readonly written: Promise<unknown> }[] = []

  function fold(target: Target, events: readonly LogEvent[]): Folded {
    const { definition, tables } = target
    const waiting = inProgress.flatMap(({ folded }) => folded.filter((one) => one.target === target))
    const current = (id: string): ViewRow | undefined => {
      const row = waiting.findLast(({ rows }) => rows.has(id))?.rows.get(id)
      if (row) return row
      const stored = findRow(statements, tables(), id)
      return stored && decodeRow(definition, stored)
    }
    const snapshots: ViewRow[] = []
    const versions: EncodedVersion[] = []
    const rows = reading(() =>
      foldInto(definition, events, current, (row, before) => {
        if (leavesSnapshot(before, row.version)) snapshots.push(row)
        const version = encodeVersion(definition, row)
        if (version !== undefined) versions.push(version)
      }),
    )
    return { target, rows: new Map(rows.map((row) => [row.id, row])), snapshots, versions }
  }

  async function write(folded: readonly Folded[], follows: ProjectOperation['follows']): Promise<void> {
    const rows = folded.flatMap((one) => encode(one.target, one.rows.values()))
    const snapshots = folded.flatMap((one) => encode(one.target, one.snapshots))
    const versions = folded.flatMap(({ target, versions }) => {
      const { generation } = target.tables()
      return versions.map((version) => [target.definition.name, generation, version] as const)
    })
    for (const one of folded) for (const id of one.rows.keys()) one.target.recent?.beginWrite(id)
    try {
      await writer.write({ kind: 'project', rows, snapshots, versions, ...(follows && { follows }) })
    } finally {
      for (const one of folded) for (const id of one.rows.keys()) one.target.recent?.endWrite(id)
    }
  }

  async function settleOldest(): Promise<void> {
    try {
      await inProgress[0]?.written
      inProgress.shift()
    } catch (error) {
      await Promise.allSettled(inProgress.map(({ written }) => written))
      inProgress.length = 0
      throw error
    }
  }

  return {
    /**
     * Folds events, which must follow the previous ones. Resolves when the next may be passed, perhaps before the rows
     * can be read. Throws StoreUnavailable when earlier ones couldn't be written; no write is then in progress.
     */
    async apply(events: readonly LogEvent[], follows?: ProjectOperation['follows']) {
      if (events.length === 0) return
      const folded = targets.map((target) => fold(target, events))
      const written = write(folded, follows)
      // Awaited by settleOldest; silences the unhandled-rejection warning until then.
      written.catch(() => undefined)
      inProgress.push({ folded, written })
      while (inProgress.length >= BATCHES_IN_PROGRESS) await settleOldest()
    },
    /** Waits until the rows of everything applied can be read. Throws like `apply`. */
    async written() {
      while (inProgress.length > 0) await settleOldest()
    },
  }
}

function encode({ definition, tables }: Target, rows: Iterable<ViewRow>) {
  const { generation } = tables()
  return [...rows].map((row) => [definition.name, generation, encodeRow(definition, row)] as const)
}
