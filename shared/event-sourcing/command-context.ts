import { randomUUID } from 'node:crypto'
import type { CallContext } from '../rpc/call-context.ts'

/** What a command carries beside its input. */
export interface CommandContext extends CallContext {
  /** When the caller stops waiting, by the wall clock, in milliseconds since the epoch. */
  readonly deadline: number
}

const PATIENCE_MILLISECONDS = 5_000

/** Fills in what the caller left out: actor `grpc`, a random request id, five seconds from now. */
export function toCommandContext(context: CallContext | undefined): CommandContext {
  const { actor = 'grpc', requestId = randomUUID(), deadline = Date.now() + PATIENCE_MILLISECONDS } = context ?? {}
  return { ...context, actor, requestId, deadline }
}
