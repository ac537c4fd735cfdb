import type { ServerResponse } from 'node:http'

/** The caller has left: there is nobody to answer. */
export class RequestAborted extends Error {}

/** Aborted, with RequestAborted, when the caller leaves or the answer has been sent. */
export function whenLeaving(res: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  const leave = (): void => leaving.abort(new RequestAborted('the caller disconnected'))
  if (res.closed) leave()
  else res.once('close', leave)
  return leaving.signal
}
