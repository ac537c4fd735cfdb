import { sharingRuns } from '../async/shared-runs.ts'
import { logStatus } from '../event-sourcing/lag.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../event-sourcing/ports/view.ts'
import { codingStoreErrors } from '../event-sourcing/store-errors.ts'
import type { GetStatusResponse, StatusService } from '../gen/mint/operations/v1/status.ts'
import type { Logger } from '../runtime/log/logger.ts'
import { thisProcess } from '../runtime/this-process.ts'

export interface StatusServiceOptions {
  /** Throws StoreUnavailable while the database is not open. */
  readonly database: () => Database
  readonly views: readonly AnyViewDefinition[]
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly logger: Logger
  /** Reads the parts of the status that only this service has. */
  readonly own?: () => Promise<Partial<GetStatusResponse>>
}

/** mint.operations.v1.StatusService. Concurrent calls share one query of the database. */
export function createStatusService(options: StatusServiceOptions): StatusService {
  const { database, views, clock, logger, own = async () => ({}) } = options
  const queries = sharingRuns(async (): Promise<GetStatusResponse> => {
    const opened = database()
    const [log, processes, more] = await Promise.all([logStatus(opened, views, clock()), opened.processes(), own()])
    const { position, views: followers } = log
    const { engine } = opened
    return {
      relay: undefined,
      topicProblems: [],
      ...more,
      engine,
      position,
      views: [...followers],
      process: thisProcess,
      processes: [...processes],
    }
  })
  return codingStoreErrors({ getStatus: () => queries.join() }, logger)
}
