import type { Caller } from '../../shared/api-keys/serving/api-keys.ts'
import type { CallContext } from '../../shared/calls/call-context.ts'
import type { Exchange } from '../http/exchange.ts'
import { writeIdentity } from '../http/idempotency.ts'

/** A service gets a little less time than the gateway waits, so that its own error at the deadline still arrives. */
const SERVICE_SHARE = 0.95

/** How long a service may take for a piece of a long answer, in milliseconds. The gateway waits less for the first. */
const LONGEST_PIECE = 20_000

/** The context of the calls for one piece: with a deadline for the whole, long answers would be cut. */
export const forPiece = (context: CallContext): CallContext => ({ ...context, deadline: Date.now() + LONGEST_PIECE })

/** What identifies a request beside its target; `body` is undefined where it writes nothing. */
interface CallParts {
  readonly key: Caller
  readonly body: unknown
  readonly idempotencyKey: string | undefined
  readonly overrideReason: string | undefined
}

/** What the service gets besides the request; for a write, that includes its identity. */
export function callContext(
  { requestId, method, path }: Exchange,
  { key, body, idempotencyKey, overrideReason }: CallParts,
  { clock, deadlineMilliseconds }: { readonly clock: () => number; readonly deadlineMilliseconds: number },
): CallContext {
  const deadline = clock() + deadlineMilliseconds * SERVICE_SHARE
  const context = { actor: key.id, requestId, deadline, ...(overrideReason !== undefined && { overrideReason }) }
  if (body === undefined) return context
  const request = { apiKeyId: key.id, idempotencyKey, method, path: decodeURIComponent(path), body }
  return { ...context, ...writeIdentity(request) }
}
