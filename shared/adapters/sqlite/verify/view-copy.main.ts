import { randomUUID } from 'node:crypto'
import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { ViewCopy } from '../../../event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import type { FoldBatch } from '../../../event-sourcing/projector.ts'
import { openForReading } from '../file/connection.ts'
import { reading } from '../file/failures.ts'
import { type OpenFile, openFile } from '../file/open-file.main.ts'
import { prepareStatements } from '../file/statements.ts'
import { headOf } from '../log/log-reads.ts'
import { labelsTable } from '../sums/ledger-tables.ts'
import { createProjection } from '../views/projection.main.ts'
import { findRow } from '../views/stored-rows.main.ts'
import { generationOf } from '../views/stored-views.ts'
import { decodeRow, type StoredRow } from '../views/view-shape.ts'
import { type ViewTables, viewTables } from '../views/view-tables.ts'
import { copyPath, removeCopies } from './copies.main.ts'
import { viewDifferences } from './view-differences.main.ts'

const CACHE_KILOBYTES = 16_000

/**
 * Creates an empty copy of the views in a file. Disposing of it removes it; if the process is killed first, the next
 * one that opens the file does. Throws an Error when there may be too little space: the copy must not take the log's.
 */
export async function copyViews(file: string, views: readonly AnyViewDefinition[], fold: FoldBatch): Promise<ViewCopy> {
  const { bavail, bsize } = statfsSync(dirname(file))
  const { size } = statSync(file)
  if (bavail * bsize < size)
    throw new Error(`verify temporarily needs ${megabytes(size)} MB of free space next to ${file}`)
  await using opened = new AsyncDisposableStack()
  // The thread first, so that whoever ends it can remove its copies.
  const name = `${threadId}-${randomUUID()}`
  opened.defer(() => removeCopies(file, name))
  const copy = await openFile({ file: copyPath(file, name), views, leavesIndexes: true })
  opened.defer(() => copy.close())
  const stored = prepareStatements(openForReading(file, CACHE_KILOBYTES))
  opened.defer(() => stored.connection.close())
  stored.of('ATTACH ? AS copy').run(copyPath(file, name))
  const targets = [...copy.views.values()].map(({ definition, tables }) => ({ definition, tables }))
  await dropSearches(copy)
  const tablesOf = ({ name }: AnyViewDefinition): ViewTables => {
    const tables = copy.views.get(name)?.tables()
    if (tables === undefined) throw new Error(`the view ${name} is not copied`)
    return tables
  }
  const projection = createProjection(copy, targets, fold)
  const resources = opened.move()
  return {
    apply: projection.apply,
    async pin() {
      await projection.written()
      stored.connection.exec('BEGIN')
      return reading(() => headOf(stored))
    },
    async *differences(definition) {
      await projection.written()
      const { name } = definition
      const [copied, generation] = [tablesOf(definition), generationOf(stored, name)]
      if (generation === undefined) throw new Error(`the view ${name} is incomplete: rebuild it`)
      yield* viewDifferences(stored, viewTables(copied.shape, generation), copied)
    },
    row(definition, id) {
      const found = findRow(copy.statements, tablesOf(definition), id)
      return found && decodeRow(definition, found)
    },
    *rows(definition) {
      const all = `SELECT id, version, at, state FROM ${tablesOf(definition).rows}`
      for (const row of copy.statements.of<StoredRow>(all).iterate()) yield decodeRow(definition, row)
    },
    label(definition, id, { era, number }) {
      const sql = `SELECT label, since FROM ${labelsTable(tablesOf(definition).rows)}
        WHERE id = ? AND era = ? AND number = ? ORDER BY version DESC LIMIT 1`
      return copy.statements.of<{ label: string; since: number }>(sql).get(id, era, number)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Drops the indexes that only searches need: maintaining them would take most of the time. */
async function dropSearches({ writer, views }: OpenFile): Promise<void> {
  const stubs = [...views.values()].map(({ tables }) => {
    const { search } = tables()
    return `
      DROP TABLE ${search};
      CREATE VIEW ${search} (${search}, rank, rowid, text) AS SELECT NULL, NULL, NULL, NULL;
      CREATE TRIGGER ${search}_unused INSTEAD OF INSERT ON ${search} BEGIN SELECT NULL; END;`
  })
  await writer.write({ kind: 'tables', sql: stubs.join('\n') })
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000)
