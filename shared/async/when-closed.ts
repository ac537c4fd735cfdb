interface Closable {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
}

/** A signal that is aborted with the reason when the stream closes: the peer has left, or the answer has been sent. */
export function whenClosed(stream: Closable, reason: Error): AbortSignal {
  const closing = new AbortController()
  if (stream.closed) closing.abort(reason)
  else stream.once('close', () => closing.abort(reason))
  return closing.signal
}
