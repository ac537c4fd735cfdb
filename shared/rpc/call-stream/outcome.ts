import { status } from '@grpc/grpc-js'
import { CodedError } from '../../errors.ts'
import type { Call } from '../../gen/mint/rpc/v1/call_stream.ts'
import type { AnswerMethod } from '../answer-method.ts'
import { type ContextPart, toContext } from '../metadata.ts'
import { refusalBytes, toStatusBytes } from '../status.ts'

/** What answers a method whose calls come by stream. */
export interface StreamedMethod {
  readonly answer: AnswerMethod<unknown>
  encode(response: unknown): Buffer
}

/** What a call comes to: an encoded response, or a google.rpc.Status. */
export type Outcome = { readonly response: Buffer } | { readonly status: Buffer }

/** Has a method answer a call. Never rejects. */
export async function outcomeOf(call: Call, request: Uint8Array, method: StreamedMethod | undefined): Promise<Outcome> {
  if (method === undefined)
    return { status: refusalBytes(status.UNIMPLEMENTED, `There is no ${call.method.slice(0, 100)}.`) }
  const deadline = call.timeoutMilliseconds === 0 ? undefined : Date.now() + call.timeoutMilliseconds
  try {
    const response = await method.answer({
      request,
      context: () => toContext((part) => call[FIELDS[part]] || undefined, deadline),
      requestId: () => call.requestId || undefined,
    })
    return { response: method.encode(response) }
  } catch (error) {
    const coded = error instanceof CodedError ? error : new CodedError('internal_error', 'Something went wrong inside.')
    return { status: toStatusBytes(coded) }
  }
}

const FIELDS = {
  actor: 'actor',
  requestId: 'requestId',
  commitId: 'commitId',
  requestHash: 'requestHash',
} as const satisfies Record<ContextPart, keyof Call>
