import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { type FolderLock, lockFolder } from '../../shared/adapters/sqlite/file/folder-lock.main.ts'
import { createEmptyDatabase } from '../../shared/adapters/sqlite/file/format.ts'
import type { FileOptions } from '../../shared/adapters/sqlite/file/open-file.main.ts'
import { formatIn, lastTimeIn } from '../../shared/adapters/sqlite/file/unopened.main.ts'
import type { AppendedBatch } from '../../shared/event-sourcing/ports/database.ts'
import { openMeasured } from '../../shared/runtime/metrics/database-metrics.ts'
import type { Metrics } from '../../shared/runtime/metrics/metrics.ts'
import { type OpenParts, openParts, PART_NAMES, viewsOf } from '../admin/parts.ts'
import { removeSocket } from '../admin/remote/socket.ts'
import { checkIsWhole } from './usable-folder.ts'

/** The data of both services and of the gateway (API keys), locked by this process until it is closed. */
export type DataFolder = OpenParts & { readonly lock: FolderLock }

interface OpenOptions extends Pick<FileOptions, 'onProgress'> {
  /** Measures the databases. */
  readonly metrics?: Metrics
  /** Called once the folder is locked, before databases are opened, which may take minutes; may throw. */
  readonly check?: () => Promise<void>
}

/**
 * Creates the folder if it is missing, locks it and opens the databases. Throws a one-line error if the folder is not
 * writable, is locked by another process, was written by a newer Mint, or is incomplete.
 */
export async function openDataFolder(folder: string, options: OpenOptions = {}): Promise<DataFolder> {
  await using opened = new AsyncDisposableStack()
  const lock = lockFolder(folder)
  opened.defer(() => lock.release())
  // No Mint runs here any more: one that was killed has left its socket, and commands would mistake it for this one's.
  removeSocket(folder)
  checkIsWhole(folder)
  checkThatNoneIsMissing(folder)
  const { metrics, onProgress, check } = options
  await check?.()
  const parts = await openParts((service) => {
    const views = viewsOf[service]
    const file = { file: join(folder, `${service}.db`), views, onProgress }
    const open = (onBatch?: (batch: AppendedBatch) => void) => openSqliteDatabase({ ...file, onBatch })
    return metrics ? openMeasured(metrics, { service, views, open }) : open()
  })
  opened.defer(() => parts.close())
  const ends = opened.move()
  return { ...parts, lock, close: () => ends.disposeAsync() }
}

/**
 * Throws if a log is missing, or its file empty, while there are events: a service that started with an empty one would
 * assign its numbers again, and the gateway would have no keys and webhooks. Only the first format had no log of the
 * gateway. It is created before the others are migrated, in case that is interrupted.
 */
function checkThatNoneIsMissing(folder: string): void {
  const fileOf = (name: string): string => join(folder, `${name}.db`)
  const sizeOf = (name: string): number => statSync(fileOf(name), { throwIfNoEntry: false })?.size ?? 0
  const missing = PART_NAMES.filter((name) => sizeOf(name) === 0)
  if (missing.length === 0 || !PART_NAMES.some((name) => lastTimeIn(fileOf(name)) > 0)) return
  const isFirstFormat = PART_NAMES.every((name) => formatIn(fileOf(name)) <= 1)
  if (isFirstFormat && missing.join() === 'gateway') createEmptyDatabase(fileOf('gateway'))
  else {
    const names = missing.map((name) => `${name}.db`).join(' and ')
    throw new Error(
      `DATA_DIR=${folder} contains data of Mint, but not ${names}: restore a whole backup there, or set DATA_DIR to another folder.`,
    )
  }
}
