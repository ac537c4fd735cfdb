import { createRequire } from 'node:module'

/** The longest that a timer can run, in milliseconds: 24.8 days. One set for longer fires at once. */
const LONGEST_MILLISECONDS = 2 ** 31 - 1

/** Limits a deadline, in milliseconds since the epoch, to what a timer can represent. */
export function withinTimers(deadline: number): number {
  return Math.min(deadline, Date.now() + LONGEST_MILLISECONDS)
}

/** The part of grpc-js's BaseServerInterceptingCall that is patched. */
interface ServerCall {
  handleTimeoutHeader(timeout: unknown): void
}

const PATCHED = Symbol('patched')

/** gRPC's time units in which eight digits can exceed the longest timer. */
const MILLISECONDS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000 }

/**
 * Patches grpc-js 1.14.7, whose server ends a call at once with DEADLINE_EXCEEDED when its deadline is further away
 * than a timer can run (the call continues, but nobody gets the answer). The patch replaces such a deadline by the
 * longest that a timer supports. Not reported upstream yet; tests/rpc/far-deadlines.test.ts reproduces it without the
 * patch, by a plain call with a deadline 25 days away. Call it before the first server starts; further calls do
 * nothing.
 */
export function patchServerDeadlines(): void {
  const { BaseServerInterceptingCall } = createRequire(import.meta.url)(
    '@grpc/grpc-js/build/src/server-interceptors.js',
  )
  const prototype: ServerCall & { [PATCHED]?: true } = BaseServerInterceptingCall.prototype
  if (prototype[PATCHED]) return
  prototype[PATCHED] = true
  const { handleTimeoutHeader } = prototype
  prototype.handleTimeoutHeader = function (timeout) {
    handleTimeoutHeader.call(this, isTooLong(String(timeout)) ? LONGEST : timeout)
  }
}

const LONGEST = `${Math.floor(LONGEST_MILLISECONDS / 1000)}S`

function isTooLong(timeout: string): boolean {
  const [, amount, unit = ''] = /^(\d{1,8})([HMS])$/.exec(timeout) ?? []
  return Number(amount) * (MILLISECONDS[unit] ?? 0) > LONGEST_MILLISECONDS
}
