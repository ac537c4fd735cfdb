interface Closable {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
}

/** Aborted with the reason when the stream closes: nobody takes an answer any more, or it has been sent. */
export function whenClosed(stream: Closable, reason: Error): AbortSignal {
  const closing = new AbortController()
  if (stream.closed) closing.abort(reason)
  else stream.once('close', () => closing.abort(reason))
  return closing.signal
}
