import { createRequire } from 'node:module'

/** The longest that a timer can run, in milliseconds: 24.8 days. One that is set for longer runs out at once. */
const LONGEST_MILLISECONDS = 2 ** 31 - 1

/** A deadline in milliseconds since the epoch, as a timer can have it: nobody waits longer than that for an answer. */
export function withinTimers(deadline: number): number {
  return Math.min(deadline, Date.now() + LONGEST_MILLISECONDS)
}

/** The part of grpc-js's BaseServerInterceptingCall that is mended. */
interface ServerCall {
  handleTimeoutHeader(timeout: unknown): void
}

const MENDED = Symbol('mended')

/** Of gRPC's units of time: those of which eight digits come to more than a timer can have. */
const MILLISECONDS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000 }

/**
 * Mends grpc-js 1.14.7, whose server ends a call at once with DEADLINE_EXCEEDED when its deadline is further away than a
 * timer can be (it goes on being carried out, but nobody gets the answer). Here such a deadline is the longest that a
 * timer has. Not reported yet; tests/rpc/far-deadlines.test.ts reproduces it, without this, by a plain call with a deadline
 * 25 days away. To be called before the first server starts; calling it again changes nothing.
 */
export function mendServerDeadlines(): void {
  const { BaseServerInterceptingCall } = createRequire(import.meta.url)(
    '@grpc/grpc-js/build/src/server-interceptors.js',
  )
  const prototype: ServerCall & { [MENDED]?: true } = BaseServerInterceptingCall.prototype
  if (prototype[MENDED]) return
  prototype[MENDED] = true
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
