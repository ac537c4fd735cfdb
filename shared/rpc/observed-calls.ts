import type { CallContext } from '../calls/call-context.ts'
import { CodedError } from '../calls/errors.ts'
import type { Logger } from '../runtime/log/logger.ts'

/** A finished call between Mint's processes. */
export interface EndedCall {
  /** With its service, for example `mint.contracts.v1.ContractsService/GetContract`. */
  readonly method: string
  /** `ok`, or the code of the error. */
  readonly code: string
  readonly milliseconds: number
}

export interface CallObservers {
  readonly onCall?: (call: EndedCall) => void
  /** Gets a line for each call at level debug. */
  readonly logger?: Logger
}

/** Reports a call once it is answered or has failed. */
export async function observe<Answer>(
  method: string,
  answer: Promise<Answer>,
  context: CallContext | undefined,
  { onCall, logger }: CallObservers,
): Promise<Answer> {
  const startedAt = performance.now()
  const report = (code: string): void => {
    const milliseconds = performance.now() - startedAt
    onCall?.({ method, code, milliseconds })
    if (logger?.isLevelEnabled('debug'))
      logger.debug({ requestId: context?.requestId, method, code, milliseconds }, 'called')
  }
  try {
    const answered = await answer
    report('ok')
    return answered
  } catch (error) {
    report(error instanceof CodedError ? error.code : 'internal_error')
    throw error
  }
}
