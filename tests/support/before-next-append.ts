import type { Database } from '../../shared/event-sourcing/ports/database.ts'

/** The database, with a first append that comes right after `write`: another process was faster. */
export function beforeNextAppend(database: Database, write: () => Promise<unknown>): Database {
  let lost = false
  const append: Database['events']['append'] = async (commit) => {
    if (!lost) await write()
    lost = true
    return await database.events.append(commit)
  }
  return { ...database, events: { ...database.events, append } }
}
