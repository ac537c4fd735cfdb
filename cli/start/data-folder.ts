import { join } from 'node:path'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.ts'
import { type FolderLock, lockFolder } from '../../shared/adapters/sqlite/folder-lock.ts'
import { startWriterThread } from '../../shared/adapters/sqlite/writing/writer-host.ts'
import type { AppendedBatch, Database } from '../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { openMeasured } from '../../shared/metrics/database-metrics.ts'
import type { Metrics } from '../../shared/metrics/metrics.ts'
import { makeFolder } from './usable-folder.ts'

/** Each in a file of its own. */
const DATABASES = ['contracts', 'businesses', 'gateway'] as const

/** The data of both services and of the gateway, held by this process alone. */
export interface DataFolder {
  readonly contracts: Database
  readonly businesses: Database
  /** API keys. */
  readonly gateway: Database
  /** The lock on the folder. */
  readonly lock: FolderLock
  /** Finishes what is under way and lets the next process in. */
  close(): Promise<void>
}

/**
 * Makes the folder when it is missing, takes its lock and opens the databases. Throws with one clear line when it is
 * not writable, another process has it, or a newer Mint wrote it. `prepare` runs under the lock, before they open. With
 * metrics given, the databases are measured.
 */
export async function openDataFolder(
  folder: string,
  views: Readonly<Record<(typeof DATABASES)[number], readonly AnyViewDefinition[]>>,
  prepare: () => void = () => undefined,
  metrics?: Metrics,
): Promise<DataFolder> {
  makeFolder(folder)
  const lock = lockFolder(folder)
  try {
    prepare()
  } catch (error) {
    lock.release()
    throw error
  }
  const thread = startWriterThread()
  const opening = DATABASES.map((service) => {
    const options = { file: join(folder, `${service}.db`), views: views[service], thread }
    const open = (onBatch?: (batch: AppendedBatch) => void) =>
      openSqliteDatabase({ ...options, ...(onBatch && { onBatch }) })
    return metrics ? openMeasured(metrics, { service, views: options.views, open }) : open()
  })
  const close = async (): Promise<void> => {
    const opened = await Promise.allSettled(opening)
    await Promise.all(opened.map((result) => (result.status === 'fulfilled' ? result.value.close() : undefined)))
    thread.end()
    lock.release()
  }
  try {
    const [contracts, businesses, gateway] = (await Promise.all(opening)) as [Database, Database, Database]
    return { contracts, businesses, gateway, lock, close }
  } catch (error) {
    await close()
    throw error
  }
}
