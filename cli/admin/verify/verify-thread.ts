/** Verifies a folder's databases on connections of its own, so that whoever serves them is not held up. */
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteInspection } from '../../../shared/adapters/sqlite/log/inspection.ts'
import { verify } from './verify.ts'

const { folder } = workerData as { folder: string }
const open = (name: string) => openSqliteInspection(join(folder, `${name}.db`))
const inspections = { businesses: open('businesses'), contracts: open('contracts'), gateway: open('gateway') }
for await (const message of verify(inspections)) parentPort?.postMessage(message)
for (const inspection of Object.values(inspections)) inspection.close()
