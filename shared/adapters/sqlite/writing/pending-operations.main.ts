import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import { type Failure, portError } from '../file/failures.ts'
import type { OperationEnd, WriteOperation, WriteResult } from './write-operations.ts'

/**
 * Once this many operations of one turn of the event loop are waiting, they are sent before the turn ends: the thread
 * writes them while the turn continues.
 */
const MAX_WAITING = 16

/** Whether the operation was written is unknown. */
export class OutcomeUnknown extends Error {
  constructor(failure: Failure) {
    super(`the write may or may not have happened: ${failure.message}`, { cause: failure })
    this.name = 'OutcomeUnknown'
  }
}

type Pending = PromiseWithResolvers<WriteResult> & { readonly operation: WriteOperation }

/** Creates an empty queue of unfinished operations, in the order of their requests. `send` sends them to the thread. */
export function createPendingOperations(send: (operations: readonly WriteOperation[]) => void) {
  const waiting: Pending[] = []
  const sent: Pending[] = []
  let scheduled: NodeJS.Immediate | undefined
  let refusal: Error | undefined

  function flush(): void {
    clearImmediate(scheduled)
    scheduled = undefined
    const next = waiting.splice(0)
    sent.push(...next)
    send(next.map(({ operation }) => operation))
  }

  return {
    /** Like `append` and `write` of Writer. */
    add(operation: WriteOperation): Promise<WriteResult> {
      if (refusal) return Promise.reject(new StoreUnavailable(refusal.message))
      const pending = { operation, ...Promise.withResolvers<WriteResult>() }
      waiting.push(pending)
      if (waiting.length >= MAX_WAITING) flush()
      // Deferred, so that operations of the same turn of the event loop are sent together.
      else scheduled ??= setImmediate(flush)
      return pending.promise
    },
    /** Refuses all operations from now on. */
    refuse(why: Error): void {
      refusal ??= why
    },
    /** Waits until all operations added so far have ended. */
    async settled(): Promise<void> {
      // They end in the order in which they were added.
      await (waiting.at(-1) ?? sent.at(-1))?.promise.catch(() => undefined)
    },
    /** Settles the oldest operations, and returns them. */
    settle(ends: readonly OperationEnd[]) {
      return ends.flatMap((end) => {
        const { resolve, reject, operation } = sent.shift() as Pending
        if ('result' in end) resolve(end.result)
        else reject(end.certain ? portError(end.failure) : new OutcomeUnknown(end.failure))
        return operation
      })
    },
    /** Rejects all operations and refuses further ones, because the thread won't answer any more. */
    giveUp(why: Error) {
      refusal = why
      clearImmediate(scheduled)
      for (const { reject } of sent.splice(0)) reject(new OutcomeUnknown({ message: why.message }))
      for (const { reject } of waiting.splice(0)) reject(new StoreUnavailable(why.message))
    },
  }
}
