import { setTimeout as delay } from 'node:timers/promises'
import type { ChangeStream, Collection } from 'mongodb'
import type { CommitDocument } from './commit-document.ts'

/** After a wake-up, in milliseconds: what arrives meanwhile is told by the next one. */
const BREATH = 5
/** Before a stream that broke is opened again, in milliseconds. */
const REOPEN_DELAY = 500

export interface LogWatcher {
  stop(): Promise<void>
}

/**
 * Calls `wake` when any process appended to the log. Only a hint, by a change stream that is opened anew where it
 * breaks: nothing is ever read from it, and whoever is woken keeps a slow look at the log as a safety net.
 */
export function watchLog(log: Collection<CommitDocument>, wake: () => void): LogWatcher {
  let stream: ChangeStream | undefined
  let stopping = false

  async function follow(opened: ChangeStream): Promise<void> {
    while (!stopping) {
      await opened.next()
      wake()
      await delay(BREATH)
      // Drain what is there in one go, so that a busy log costs a wake-up each BREATH and not one a commit.
      while (!stopping && (await opened.tryNext()) !== null);
      wake()
    }
  }

  async function run(): Promise<void> {
    while (!stopping) {
      stream = log.watch([{ $match: { operationType: 'insert' } }, { $project: { _id: 1 } }])
      await follow(stream).catch(() => undefined)
      await stream.close().catch(() => undefined)
      if (!stopping) await delay(REOPEN_DELAY)
    }
  }

  const running = run()
  return {
    async stop() {
      stopping = true
      await stream?.close().catch(() => undefined)
      await running
    },
  }
}
