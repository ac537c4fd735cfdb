import type { Database } from '../../event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import { type OpenKeys, type OpenKeysOptions, openKeys } from './open.ts'

/**
 * Keys in a database that is still being opened, so that a gateway can answer from its start. Until it is open there
 * are no stored keys, and everything else throws StoreUnavailable. An error while opening ends the process.
 */
export function openKeysLater(
  opening: Promise<Database>,
  options: Omit<OpenKeysOptions, 'database'>,
  onOpened: (keys: OpenKeys) => void = () => undefined,
) {
  let opened: { readonly database: Database; readonly keys: OpenKeys } | undefined
  void opening.then((database) => {
    opened = { database, keys: openKeys({ database, ...options }) }
    onOpened(opened.keys)
  })
  const whenOpen = () => {
    if (opened === undefined) throw new StoreUnavailable('the API keys are not open yet')
    return opened
  }
  return {
    stored: () => opened?.keys.stored,
    database: () => whenOpen().database,
    administration: () => whenOpen().keys.administration,
    check: async () => await whenOpen().keys.check(),
    /** Closes the database too. */
    async stop() {
      await opened?.keys.stop()
      await opened?.database.close()
    },
  }
}
