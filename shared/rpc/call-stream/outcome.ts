import { status } from '@grpc/grpc-js'
import { CodedError } from '../../calls/errors.ts'
import type { Answer, Call } from '../../gen/mint/rpc/v1/call_stream.ts'
import { toContext } from '../metadata.ts'
import type { AnswerMethod } from '../server/answer-method.ts'
import { refusalBytes, toStatusBytes } from '../status.ts'

/** How a method called by stream is answered. */
export interface StreamedMethod {
  readonly answer: AnswerMethod<unknown>
  encode(response: unknown): Buffer
}

/** The longest answer that callers accept. */
const MAX_ANSWER_BYTES = 15 * 1024 * 1024

/** The outcome of a call: an encoded response, or a google.rpc.Status. */
export type Outcome = Pick<Answer, 'payload' | 'status'>

/** Answers a call with its method. Never rejects. */
export async function outcomeOf(call: Call, method: StreamedMethod | undefined): Promise<Outcome> {
  if (method === undefined) return refused(status.UNIMPLEMENTED, `There is no ${call.method.slice(0, 100)}.`)
  // What parses as a whole message may be the beginning of a longer one.
  if (call.more) return refused(status.UNAVAILABLE, 'Requests in parts are no longer supported: upgrade the caller.')
  const deadline = call.timeoutMilliseconds === 0 ? undefined : Date.now() + call.timeoutMilliseconds
  try {
    const response = await method.answer({
      request: call.payload,
      context: () => {
        const { overridesClosing, isNewCommit } = call
        const context = toContext((part) => call[part] || undefined, deadline)
        return { ...context, overridesClosing, ...(isNewCommit && { isNewCommit }) }
      },
      requestId: () => call.requestId || undefined,
    })
    const payload = method.encode(response)
    return payload.length > MAX_ANSWER_BYTES
      ? refused(status.RESOURCE_EXHAUSTED, `The answer is longer than ${MAX_ANSWER_BYTES} bytes: ask for less at once.`)
      : { payload, status: NOTHING }
  } catch (error) {
    const coded = error instanceof CodedError ? error : new CodedError('internal_error', 'An internal error occurred.')
    return { payload: NOTHING, status: toStatusBytes(coded) }
  }
}

const NOTHING = Buffer.alloc(0)

const refused = (code: status, message: string): Outcome => ({ payload: NOTHING, status: refusalBytes(code, message) })
