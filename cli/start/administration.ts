import { hostname } from 'node:os'
import type { Logger } from '../../shared/logger.ts'
import { version } from '../../shared/version.ts'
import { type AdminServer, startAdminServer } from '../admin/remote/server.ts'
import type { DataFolder } from './data-folder.ts'
import type { RunningServices } from './services.ts'

export interface AdministrationParts {
  readonly folder: string
  readonly data: DataFolder
  readonly services: Pick<RunningServices, 'publisher'>
  /** Where this Mint listens, for `cli/mint status`. */
  readonly addresses: Readonly<Record<string, string>>
  readonly logger: Logger
}

/** Lets the command line work on the data of this running Mint. */
export function startAdministration({
  folder,
  data,
  services,
  addresses,
  logger,
}: AdministrationParts): Promise<AdminServer> {
  const { contracts, businesses, gateway } = data
  const { publisher } = services
  const own = { name: 'mint', version, at: `${hostname()}/${process.pid}`, addresses }
  const parts = { contracts, businesses, gateway, publisher, relayRuns: true, process: own }
  // Hardly ever asked, so it costs nothing before.
  const loadAdmin = async () => {
    const { directAdmin } = await import('../admin/operations.ts')
    const { verifyInThread } = await import('../admin/verify/verify-thread.ts')
    return directAdmin(parts, { verify: (_parts, _input, report) => verifyInThread(folder, report) })
  }
  return startAdminServer({ folder, loadAdmin, logger })
}
