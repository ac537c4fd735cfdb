/** One thing that is wrong with a request. */
export interface Violation {
  readonly in: string
  /** `/serviceFee` */
  readonly pointer: string
  readonly code: string
  readonly message: string
  /** Of a file: where the row begins, from 1. */
  readonly line?: number
}

/** An error that the API answered. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly errors: readonly Violation[]
  /** How many more there are. */
  readonly errorsOmitted: number
  /** Of a CSV file: how many of its rows are written; undefined: it isn't known. */
  readonly written: number | undefined
  /** After how many seconds the request may be sent again; undefined: the answer doesn't say. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    problem: {
      readonly code?: string
      readonly detail?: string
      readonly errors?: readonly Violation[]
      readonly errorsOmitted?: number
      readonly written?: number
    },
    retryAfter?: number,
  ) {
    super(problem.detail ?? `Mint answered with status ${status}.`)
    this.name = 'ApiProblem'
    this.status = status
    this.code = problem.code ?? ''
    this.errors = problem.errors ?? []
    this.errorsOmitted = problem.errorsOmitted ?? 0
    this.written = problem.written
    this.retryAfter = retryAfter
  }
}

/** No answer came: the network or Mint is down. A write may have happened. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('Mint can’t be reached.', { cause })
    this.name = 'Unreachable'
  }
}

/** An error whose message is a sentence for the reader. */
export class Explained extends Error {
  override readonly name = 'Explained'
}

/** The seconds in a header Retry-After; undefined: it has none. */
export function retryAfterOf(headers: Headers): number | undefined {
  return Number(headers.get('Retry-After')) || undefined
}

/** Whether an error only says that its request was aborted. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** Whether the API refused a request for this reason. */
export const hasCode = (error: unknown, code: string): error is ApiProblem =>
  error instanceof ApiProblem && error.code === code

/** What a request finds; undefined: it doesn't exist, or didn't yet. */
export async function ifFound<Found>(request: Promise<Found>): Promise<Found | undefined> {
  try {
    return await request
  } catch (error) {
    if (hasCode(error, 'not_found')) return undefined
    throw error
  }
}

/**
 * Whether Mint has refused what a write asks for: then no earlier attempt with the same Idempotency-Key was carried out.
 * It refuses a key, or the scopes of a key, before it searches for earlier attempts.
 */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status < 500 && ![401, 403, 408, 429].includes(error.status)

/** Whether a write that failed like this may have happened anyway. */
export function isUncertain(error: unknown): boolean {
  if (error instanceof Unreachable) return true
  return hasCode(error, 'outcome_unknown') || (hasCode(error, '') && error.status >= 500)
}
