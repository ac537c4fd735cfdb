import { createHmac, randomBytes } from 'node:crypto'

/** What the provider sent the browser back with. */
export interface ReturnedAnswer {
  readonly code: string
  /** Its parameter `state`. */
  readonly returnedState?: string | undefined
  /** Its parameter `iss`: who says so (RFC 9207). */
  readonly iss?: string | undefined
}

/** What ties one sign-in together: everything here but the verifier passes through the browser's address bar. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  /** Of PKCE: proves that whoever has the code also began the sign-in. */
  readonly verifier: string
}

/** What a browser keeps to itself while it is at the provider. */
export const newState = (): string => randomBytes(32).toString('base64url')

/**
 * All that is sent is derived from what the browser keeps, so any gateway can complete what another began, and none has
 * to store it. What is sent doesn't reveal what the browser keeps.
 */
export function attemptOf(kept: string): Attempt {
  const derived = (use: string) => createHmac('sha256', kept).update(use).digest('base64url')
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') }
}
