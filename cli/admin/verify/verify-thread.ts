import { on } from 'node:events'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { openSqliteInspection } from '../../../shared/adapters/sqlite/main-thread/log/inspection.ts'
import type { Position } from '../../../shared/event-sourcing/event.ts'
import type { Report } from '../report.ts'
import { type VerifyItem, verify } from './verify.ts'

type Message = { readonly progress: Parameters<Report> } | { readonly item: VerifyItem }

/** Verifies a folder's databases in a worker thread, so that requests are not blocked. It ends with its reader. */
export async function* verifyInThread(folder: string, delivered: Position, report: Report): AsyncGenerator<VerifyItem> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { folder, delivered }, name: 'verify' })
  try {
    for await (const [message] of on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[Message]>) {
      if ('item' in message) yield message.item
      else if (report(...message.progress) === false) return
    }
  } finally {
    await worker.terminate()
  }
}

async function run({ folder, delivered }: { readonly folder: string; readonly delivered: Position }): Promise<void> {
  const post = (message: Message): void => parentPort?.postMessage(message)
  const open = (name: string) => ({ inspection: openSqliteInspection(join(folder, `${name}.db`)) })
  const parts = { businesses: open('businesses'), contracts: open('contracts'), gateway: open('gateway') }
  for await (const item of verify({ ...parts, delivered: async () => delivered }, {}, (...progress) =>
    post({ progress }),
  ))
    post({ item })
  for (const { inspection } of Object.values(parts)) inspection.close()
}

if (!isMainThread) await run(workerData)
