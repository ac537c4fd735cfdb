import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Message, Running } from '../running.ts'
import type { VerifyItem } from './verify.ts'

/** Verifies the databases of a folder in a thread of its own, which ends with whoever reads this. */
export async function* verifyBeside(folder: string): Running<VerifyItem> {
  const worker = new Worker(new URL('./verify-thread.ts', import.meta.url), { workerData: { folder }, name: 'verify' })
  try {
    for await (const [message] of on(worker, 'message', { close: ['exit'] })) yield message as Message<VerifyItem>
  } finally {
    await worker.terminate()
  }
}
