import { join } from 'node:path'
import { contractsViews } from '../../services/contracts/service.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { aClient, overGrpc } from '../../tests/support/clients-service.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { fillWithContracts } from '../fill.ts'
import type { MicroCase } from './cases.ts'

/** Concurrent calls. */
const CALLERS = 50

/** Operations that use the disk or a connection; `ends` collects functions that release both. */
export async function slowCases(ends: (end: () => unknown) => void): Promise<MicroCase[]> {
  const folder = temporaryFolder()
  ends(() => folder.remove())
  const database = await openSqliteDatabase({ file: join(folder.path, 'contracts.db'), views: contractsViews })
  ends(() => database.close())
  const { clients } = await overGrpc(ends, { getClient: async () => ({ client: aClient() }) })
  return [
    {
      name: 'append: a creation with its row and search index, on SQLite',
      times: 1_000,
      limit: 90,
      run: (times) => fillWithContracts(database, times),
    },
    {
      name: 'call: to a service over gRPC and back',
      times: 2_000,
      limit: 45,
      run: async (times) => {
        const call = async (): Promise<void> => {
          for (let time = 0; time < times / CALLERS; time++) await clients.getClient({ clientId: 'x' })
        }
        await Promise.all(Array.from({ length: CALLERS }, call))
      },
    },
  ]
}
