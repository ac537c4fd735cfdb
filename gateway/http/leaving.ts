import type { ServerResponse } from 'node:http'
import { whenClosed } from '../../shared/async/when-closed.ts'

/** The caller has left: there is nobody to answer. */
export class RequestAborted extends Error {}

/** Aborted, with RequestAborted, when the caller leaves or the answer has been sent. */
export const whenLeaving = (res: ServerResponse): AbortSignal =>
  whenClosed(res, new RequestAborted('the caller disconnected'))
