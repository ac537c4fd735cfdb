import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import { type Failure, portError } from '../file/failures.ts'
import type { BatchEnd, WriteOperation, WriteResult } from './write-operations.ts'

/**
 * Once this many operations of one turn of the event loop are waiting, they are sent before the turn ends: the thread
 * writes them while the rest of the turn continues.
 */
const OPERATIONS_HANDED_OVER = 16

/** The operation may or may not have been written. */
export class OutcomeUnknown extends Error {
  constructor(failure: Failure) {
    super(`the write may or may not have happened: ${failure.message}`, { cause: failure })
    this.name = 'OutcomeUnknown'
  }
}

type Pending = PromiseWithResolvers<WriteResult> & { readonly operation: WriteOperation }

/**
 * Creates an empty queue of operations that have not ended, in the order of their requests. `handOver` sends operations
 * to the thread.
 */
export function createPendingOperations(handOver: (operations: readonly WriteOperation[]) => void) {
  const waiting: Pending[] = []
  const handedOver: Pending[] = []
  let scheduled: NodeJS.Immediate | undefined
  let refusal: Error | undefined

  function send(): void {
    clearImmediate(scheduled)
    scheduled = undefined
    const next = waiting.splice(0)
    handedOver.push(...next)
    handOver(next.map(({ operation }) => operation))
  }

  return {
    /** Like `append` and `write` of Writer. */
    add(operation: WriteOperation): Promise<WriteResult> {
      if (refusal) return Promise.reject(new StoreUnavailable(refusal.message))
      const pending = { operation, ...Promise.withResolvers<WriteResult>() }
      waiting.push(pending)
      if (waiting.length >= OPERATIONS_HANDED_OVER) send()
      // Not at once: what arrives in the same turn of the event loop is sent together.
      else scheduled ??= setImmediate(send)
      return pending.promise
    },
    /** Refuses all operations from now on. */
    refuse(why: Error): void {
      refusal ??= why
    },
    /** Waits until all operations that have not ended have. */
    async settled(): Promise<void> {
      // They end in the order in which they were asked for.
      await (waiting.at(-1) ?? handedOver.at(-1))?.promise.catch(() => undefined)
    },
    /** Settles the operations of the oldest batch, and returns them. */
    settle(size: number, end: BatchEnd) {
      const batch = handedOver.splice(0, size)
      for (const [index, pending] of batch.entries()) settleOne(pending, end, index)
      return batch.map(({ operation }) => operation)
    },
    /** Settles all operations and refuses others, because the thread will answer no more. */
    giveUp(why: Error) {
      refusal = why
      clearImmediate(scheduled)
      for (const { reject } of handedOver.splice(0)) reject(new OutcomeUnknown({ message: why.message }))
      for (const { reject } of waiting.splice(0)) reject(new StoreUnavailable(why.message))
    },
  }
}

function settleOne({ resolve, reject }: Pending, end: BatchEnd, index: number): void {
  const own = end.type === 'done' ? end.ends[index] : end
  if (own && 'result' in own) resolve(own.result)
  else if (end.type === 'failed' && !end.certain) reject(new OutcomeUnknown(end.failure))
  else reject(portError(own?.failure ?? { message: 'the writer gave no answer' }))
}
