import { status } from '@grpc/grpc-js'
import type { Charge } from '../../budget/charge.ts'
import type { CodedError } from '../../calls/errors.ts'
import type { Answer, Call } from '../../gen/mint/rpc/v1/call_stream.ts'
import { isTraceparent } from '../../runtime/tracing/tracing.ts'
import { toContext } from '../metadata.ts'
import type { AnswerMethod } from '../server/answer-method.ts'
import { refusalBytes, toStatusBytes } from '../status.ts'

/** The longest answer that callers accept. */
const MAX_ANSWER_BYTES = 15 * 1024 * 1024

/** The outcome of a call: an encoded response with what is charged for it, or a google.rpc.Status. */
export interface Outcome extends Pick<Answer, 'payload' | 'status'> {
  readonly charge?: Charge
}

/** Answers a call with its method; `leaving` is aborted when the caller leaves. Never rejects. */
export async function outcomeOf(call: Call, answer: AnswerMethod | undefined, leaving: AbortSignal): Promise<Outcome> {
  if (answer === undefined) return refused(status.UNIMPLEMENTED, `There is no ${call.method.slice(0, 100)}.`)
  const deadline = call.timeoutMilliseconds === 0 ? undefined : Date.now() + call.timeoutMilliseconds
  try {
    const { made: payload, charge } = await answer({
      request: call.payload,
      context: () => {
        const { isNewCommit, refusals, overrideReason } = call
        const context = toContext((part) => call[part] || undefined, deadline)
        return {
          ...context,
          ...(isNewCommit && { isNewCommit }),
          ...(refusals !== undefined && { refusals }),
          ...(overrideReason !== undefined && { overrideReason }),
        }
      },
      requestId: () => call.requestId || undefined,
      parent: isTraceparent(call.traceparent ?? '') ? call.traceparent : undefined,
      leaving: () => leaving,
    })
    if (payload.length <= MAX_ANSWER_BYTES) return { payload, status: NOTHING, charge }
    charge.release()
    return refused(status.RESOURCE_EXHAUSTED, TOO_LONG)
  } catch (error) {
    return { payload: NOTHING, status: toStatusBytes(error as CodedError) }
  }
}

const TOO_LONG = `The answer is longer than ${MAX_ANSWER_BYTES} bytes: ask for less at once.`
const NOTHING = Buffer.alloc(0)

const refused = (code: status, message: string): Outcome => ({ payload: NOTHING, status: refusalBytes(code, message) })
