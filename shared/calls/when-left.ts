import { CALLER_LEFT } from './errors.ts'

interface Closable {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
}

/** A signal that is aborted with CALLER_LEFT when the stream closes: the caller has left, or the answer has been sent. */
export function whenLeft(stream: Closable): AbortSignal {
  const closing = new AbortController()
  if (stream.closed) closing.abort(CALLER_LEFT)
  else stream.once('close', () => closing.abort(CALLER_LEFT))
  return closing.signal
}
