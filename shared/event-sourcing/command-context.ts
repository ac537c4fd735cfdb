import { anonymousCaller, type CallContext } from '../calls/call-context.ts'

/** What accompanies a command's input. */
export interface CommandContext extends CallContext {
  /** When the caller stops waiting: wall clock, in milliseconds since the epoch. */
  readonly deadline: number
}

const PATIENCE_MILLISECONDS = 5_000

/** Fills in what the caller left out: its identity, a request id, and a deadline five seconds from now. */
export function toCommandContext(context: CallContext | undefined): CommandContext {
  const given: CallContext = context ?? anonymousCaller()
  return { ...given, deadline: given.deadline ?? Date.now() + PATIENCE_MILLISECONDS }
}
