import { createApi } from '../api/client.ts'
import { createSession } from './session.ts'
import { createSignIn, type SignInReason } from './sign-in.ts'

interface SigningOptions {
  update(): void
  signedIn(): void
  signedOut(why?: 'revoked'): void
  hasUnsavedInput(): boolean
}

/** Signing in and out, and the API as whoever is signed in may use it. */
export function createSigning({ update, signedIn, signedOut, hasUnsavedInput }: SigningOptions) {
  const session = createSession(sessionStorage)
  let reason: SignInReason
  const isSignedIn = () => session.key() !== undefined
  const form = createSignIn({
    signedIn(key) {
      session.signIn(key)
      reason = undefined
      signedIn()
    },
    update,
  })
  return {
    api: createApi(session.key, () => {
      if (!isSignedIn()) return
      session.signOut()
      reason = 'refused'
      update()
    }),
    isSignedIn,
    view: () => form.view(reason),
    signOut(): void {
      if (hasUnsavedInput() && !confirm('Sign out? What you typed here has not been saved.')) return
      session.signOut()
      signedOut()
    },
    /** Switches to another key; undefined: the one in use was revoked. */
    useKey(key: string | undefined): void {
      // Whoever has signed out meanwhile stays so.
      if (!isSignedIn()) return
      if (key !== undefined) session.signIn(key)
      else {
        session.signOut()
        reason = 'revoked'
        signedOut('revoked')
      }
    },
  }
}
