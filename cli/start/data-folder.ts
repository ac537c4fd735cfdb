import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.ts'
import { lockFolder } from '../../shared/adapters/sqlite/folder-lock.ts'
import type { Database } from '../../shared/event-sourcing/database.ts'
import type { ViewDefinition } from '../../shared/event-sourcing/view.ts'

/** The data of both services, held by this process alone. */
export interface DataFolder {
  readonly contracts: Database
  readonly businesses: Database
  /** Finishes what is under way and lets the next process in. */
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: definitions of different states side by side
type Views = readonly ViewDefinition<any>[]

/**
 * Makes the folder when it is missing, takes its lock and opens the databases. Throws with one clear line when it is
 * not writable, another process has it, or a newer Mint wrote it.
 */
export async function openDataFolder(
  folder: string,
  views: { readonly contracts: Views; readonly businesses: Views },
): Promise<DataFolder> {
  mkdirSync(folder, { recursive: true })
  const lock = lockFolder(folder)
  const opened: Database[] = []
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((database) => database.close()))
    lock.release()
  }
  const open = async (name: string, definitions: Views): Promise<Database> => {
    const database = await openSqliteDatabase({ file: join(folder, `${name}.db`), views: definitions })
    opened.push(database)
    return database
  }
  try {
    const contracts = await open('contracts', views.contracts)
    const businesses = await open('businesses', views.businesses)
    return { contracts, businesses, close }
  } catch (error) {
    await close()
    throw error
  }
}
