import type { Db } from 'mongodb'
import type { StreamName } from '../../../event-sourcing/event.ts'
import type { AnyViewDefinition, ViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { foldBatch } from '../../../event-sourcing/projector.ts'
import { readInChunks } from '../../../event-sourcing/stream-chunks.ts'
import type { LogReader } from '../log/log-reader.ts'
import { type Durability, writeRows } from './row-commands.ts'
import { type RowDocument, rowsOf, toRowDocument, toViewRow, type VersionedDocument } from './view-row.ts'

export interface StreamProjection {
  /** The row as the log has it, going on from the stored one where that is of the view's own schema. */
  fold<State>(definition: ViewDefinition<State>, id: string): Promise<ViewRow<State> | undefined>
  /** The row as the log has it, whatever is stored. */
  foldFromStart<State>(definition: ViewDefinition<State>, id: string): Promise<ViewRow<State> | undefined>
  /** Makes a view hold these versions of aggregates, or newer ones, as durably as is asked for. */
  show(definition: AnyViewDefinition, versions: ReadonlyMap<string, number>, durability: Durability): Promise<void>
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
    return await foldOnto(definition, id, await rowsOf(db, definition).findOne({ _id: id }))
  }

  async function foldOnto<State>(
    definition: ViewDefinition<State>,
    id: string,
    stored: RowDocument | null | undefined,
  ) {
    const row = stored?.schema === definition.schema ? toViewRow(definition, stored) : undefined
    return await foldFrom(definition, id, row)
  }

  async function foldFrom<State>(definition: ViewDefinition<State>, id: string, row: ViewRow<State> | undefined) {
    let last = row
    const { category } = definition
    for await (const events of readInChunks(reader, { category, id }, { afterVersion: row?.version ?? 0 })) {
      last = foldBatch(definition, events, () => last)[0] ?? last
    }
    return last
  }

  async function show(
    definition: AnyViewDefinition,
    versions: ReadonlyMap<string, number>,
    durability: Durability,
  ): Promise<void> {
    const ids = [...versions.keys()]
    const documents = await rowsOf(db, definition)
      .find({ _id: { $in: ids } }, { batchSize: ids.length + 1 })
      .toArray()
    const stored = new Map(documents.map((document) => [document._id, document]))
    const rows = await Promise.all(
      ids.map(async (id) => {
        const document = stored.get(id)
        // Usually so: whoever wrote the version has written its rows, too, if perhaps not on a majority yet.
        if (document !== undefined && holdsVersion(document, definition, versions.get(id) ?? 0)) {
          return durability === 'memory' ? undefined : document
        }
        const row = await foldOnto(definition, id, document)
        return row && toRowDocument(definition, row)
      }),
    )
    const toWrite = rows.filter((row) => row !== undefined)
    if (toWrite.length > 0) await writeRows({ db, collection: definition.name, durability }, toWrite)
  }

  return {
    fold,
    foldFromStart: (definition, id) => foldFrom(definition, id, undefined),
    show,
    async showStream({ category, id }, version) {
      const showing = views.filter((definition) => definition.category === category)
      await Promise.all(showing.map((definition) => show(definition, new Map([[id, version]]), 'memory')))
    },
  }
}

/** Whether a row says what the view's schema says of a version, or of a newer one. */
export function holdsVersion(row: VersionedDocument, { schema }: AnyViewDefinition, version: number): boolean {
  return row.schema > schema || (row.schema === schema && row.version >= version)
}
