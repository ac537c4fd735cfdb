import { CALLER_LEFT } from './errors.ts'
import type { Closable } from './line.ts'

/** A signal that is aborted with CALLER_LEFT when the stream closes: the caller has left, or the answer has been sent. */
export function whenLeft(stream: Pick<Closable, 'closed' | 'once'>): AbortSignal {
  const closing = new AbortController()
  if (stream.closed) closing.abort(CALLER_LEFT)
  else stream.once('close', () => closing.abort(CALLER_LEFT))
  return closing.signal
}
