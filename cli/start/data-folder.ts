import { join } from 'node:path'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/main-thread/database.ts'
import { type FolderLock, lockFolder } from '../../shared/adapters/sqlite/main-thread/folder-lock.ts'
import { startWriterThread } from '../../shared/adapters/sqlite/main-thread/writing/writer-host.ts'
import type { AppendedBatch } from '../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { openMeasured } from '../../shared/runtime/metrics/database-metrics.ts'
import type { Metrics } from '../../shared/runtime/metrics/metrics.ts'
import { type OpenParts, openParts, type PartName } from '../admin/parts.ts'
import { makeFolder } from './usable-folder.ts'

/** The data of both services and of the gateway (API keys), held by this process alone; closing lets the next one in. */
export type DataFolder = OpenParts & { readonly lock: FolderLock }

/**
 * Makes the folder when it is missing, takes its lock and opens the databases, measured where metrics are given. Throws with one clear line when it is not writable, another process has it, or a newer Mint wrote it.
 */
export async function openDataFolder(
  folder: string,
  views: Readonly<Record<PartName, readonly AnyViewDefinition[]>>,
  metrics?: Metrics,
): Promise<DataFolder> {
  makeFolder(folder)
  await using opened = new AsyncDisposableStack()
  const lock = lockFolder(folder)
  opened.defer(() => lock.release())
  const thread = startWriterThread()
  opened.defer(() => thread.end())
  const parts = await openParts((service) => {
    const options = { file: join(folder, `${service}.db`), views: views[service], thread }
    const open = (onBatch?: (batch: AppendedBatch) => void) =>
      openSqliteDatabase({ ...options, ...(onBatch && { onBatch }) })
    return metrics ? openMeasured(metrics, { service, views: options.views, open }) : open()
  })
  opened.defer(() => parts.close())
  const ends = opened.move()
  return { ...parts, lock, close: () => ends.disposeAsync() }
}
