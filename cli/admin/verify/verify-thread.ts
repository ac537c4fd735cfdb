import { on } from 'node:events'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { openSqliteInspection } from '../../../shared/adapters/sqlite/log/inspection.main.ts'
import { removeCopies } from '../../../shared/adapters/sqlite/verify/copies.main.ts'
import type { Position } from '../../../shared/event-sourcing/event.ts'
import { PART_NAMES, type PartName } from '../parts.ts'
import type { Report } from '../report.ts'
import { type VerifyItem, verify } from './verify.ts'

type Message = { readonly progress: Parameters<Report> } | { readonly item: VerifyItem }

/** Verifies a folder's databases in a worker thread, which blocks no requests. The thread ends with its reader. */
export async function* verifyInThread(folder: string, delivered: Position, report: Report): AsyncGenerator<VerifyItem> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { folder, delivered } satisfies WorkerData,
    name: 'verify',
  })
  const { threadId } = worker
  try {
    for await (const [message] of on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[Message]>) {
      if ('item' in message) yield message.item
      else if (report(...message.progress) === false) return
    }
  } finally {
    await worker.terminate()
    // Its own clean-up may not have run.
    for (const part of PART_NAMES) removeCopies(fileOf(folder, part), `${threadId}-`)
  }
}

interface WorkerData {
  readonly folder: string
  readonly delivered: Position
}

const fileOf = (folder: string, part: PartName): string => join(folder, `${part}.db`)

async function run({ folder, delivered }: WorkerData): Promise<void> {
  const post = (message: Message): void => parentPort?.postMessage(message)
  const open = (part: PartName) => ({ inspection: openSqliteInspection(fileOf(folder, part)) })
  const parts = { businesses: open('businesses'), contracts: open('contracts'), gateway: open('gateway') }
  for await (const item of verify({ ...parts, delivered: async () => delivered }, {}, (...progress) =>
    post({ progress }),
  ))
    post({ item })
  for (const { inspection } of Object.values(parts)) inspection.close()
}

if (!isMainThread) await run(workerData)
