import { accepted, type Decision } from '../../../shared/event-sourcing/decider.ts'
import type { ClosingEvent, ClosingFields } from './events.ts'
import type { Closing } from './evolve.ts'

/** Closes the books through a day, or reopens them. */
export interface SetClosing {
  readonly type: 'set'
  readonly closing: ClosingFields
}

/** Decides a command on the closing; `before` is undefined until it is first set. The same values change nothing. */
export function decide(before: Closing | undefined, { closing }: SetClosing): Decision<ClosingEvent, never> {
  const isSame = before?.closedThrough === closing.closedThrough && before.reason === closing.reason
  return isSame ? accepted() : accepted({ type: 'ClosingSet.v1', data: closing })
}
