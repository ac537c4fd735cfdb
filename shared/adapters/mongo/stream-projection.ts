import type { Db } from 'mongodb'
import type { StreamName } from '../../event-sourcing/event.ts'
import { foldBatch } from '../../event-sourcing/projector.ts'
import type { AnyViewDefinition, ViewDefinition, ViewRow } from '../../event-sourcing/view.ts'
import type { LogReader } from './log-reader.ts'
import { type Durability, writeRows } from './row-writes.ts'
import { type RowDocument, rowsOf, toRowDocument, toViewRow } from './view-row.ts'

export interface StreamProjection {
  /** The row as the log has it, going on from the stored one where that is of the view's own schema. */
  fold<State>(definition: ViewDefinition<State>, id: string): Promise<ViewRow<State> | undefined>
  /** The row as the log has it, whatever is stored. */
  foldFromStart<State>(definition: ViewDefinition<State>, id: string): Promise<ViewRow<State> | undefined>
  /** Brings the rows of these aggregates up to date with the log, in one view. */
  project(definition: AnyViewDefinition, ids: readonly string[], durability: Durability): Promise<void>
  /** Makes every view that shows a stream hold this version of it, or a newer one. */
  showStream(stream: StreamName, version: number): Promise<void>
}

/** Makes rows from the log itself, for whoever finds the views behind it. */
export function createStreamProjection(
  db: Db,
  reader: LogReader,
  views: readonly AnyViewDefinition[],
): StreamProjection {
  async function fold<State>(definition: ViewDefinition<State>, id: string): Promise<ViewRow<State> | undefined> {
    const stored: RowDocument | null = await rowsOf(db, definition).findOne({ _id: id })
    const row = stored?.schema === definition.schema ? toViewRow(definition, stored) : undefined
    const stream = { category: definition.category, id }
    const events = await reader.readStream(stream, row === undefined ? {} : { afterVersion: row.version })
    return foldBatch(definition, events, () => row)[0] ?? row
  }

  async function foldFromStart<State>(definition: ViewDefinition<State>, id: string) {
    const events = await reader.readStream({ category: definition.category, id })
    return foldBatch(definition, events, () => undefined)[0]
  }

  async function project(definition: AnyViewDefinition, ids: readonly string[], durability: Durability): Promise<void> {
    const rows = await Promise.all(ids.map((id) => fold(definition, id)))
    const documents = rows.filter((row) => row !== undefined).map((row) => toRowDocument(definition, row))
    if (documents.length > 0) await writeRows(db, definition.name, documents, durability)
  }

  /** Usually so: whoever wrote the version has written its rows, too. */
  async function isShown(definition: AnyViewDefinition, id: string, version: number): Promise<boolean> {
    const row = await rowsOf(db, definition).findOne({ _id: id }, { projection: { schema: 1, version: 1 } })
    return row !== null && row.schema >= definition.schema && row.version >= version
  }

  return {
    fold,
    foldFromStart,
    project,
    async showStream({ category, id }, version) {
      const showing = views.filter((definition) => definition.category === category)
      await Promise.all(
        showing.map(async (definition) => {
          if (!(await isShown(definition, id, version))) await project(definition, [id], 'memory')
        }),
      )
    },
  }
}
