import { createHmac, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { newSignIn } from '../records/sign-in-record.ts'

/** What the provider sent the browser back with. */
export type ReturnedAnswer = Readonly<Omit<z.output<typeof newSignIn>, 'state'>>

/** What a browser keeps to itself while it is at the provider. */
export const newState = (): string => randomBytes(32).toString('base64url')

export type Attempt = ReturnType<typeof attemptOf>

/**
 * What ties one sign-in together: everything here passes through the browser's address bar but PKCE's verifier, which
 * proves that whoever has the code also began the sign-in. All of it is derived from what the browser keeps, so any
 * gateway can complete what another began, and none has to store it. What is sent doesn't reveal what the browser keeps.
 */
export function attemptOf(kept: string) {
  const derived = (use: string) => createHmac('sha256', kept).update(use).digest('base64url')
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') }
}
