import { createApi } from '../api/client.ts'
import { createSignIn, type SignInReason } from './sign-in.ts'

interface SigningOptions {
  update(): void
  signedIn(): void
  signedOut(why?: 'revoked'): void
  hasUnsavedInput(): boolean
}

/** Where the tab keeps the key, for itself alone and until it is closed, so that a reload asks for nothing. */
const ITEM = 'mint-api-key'

/** Signing in and out, and the API as whoever is signed in may use it. */
export function createSigning({ update, signedIn, signedOut, hasUnsavedInput }: SigningOptions) {
  let reason: SignInReason
  const key = () => sessionStorage.getItem(ITEM) ?? undefined
  const isSignedIn = () => key() !== undefined

  function forget(why?: SignInReason): void {
    sessionStorage.removeItem(ITEM)
    reason = why ?? reason
  }

  const form = createSignIn({
    signedIn(given) {
      sessionStorage.setItem(ITEM, given)
      reason = undefined
      signedIn()
    },
    update,
  })
  return {
    api: createApi(key, () => {
      if (!isSignedIn()) return
      forget('refused')
      update()
    }),
    isSignedIn,
    view: () => form.view(reason),
    signOut(): void {
      if (hasUnsavedInput() && !confirm('Sign out? What you typed here has not been saved.')) return
      forget()
      signedOut()
    },
    /** Switches to another key; undefined: the one in use was revoked. */
    useKey(other: string | undefined): void {
      // Whoever has signed out meanwhile stays so.
      if (!isSignedIn()) return
      if (other !== undefined) sessionStorage.setItem(ITEM, other)
      else {
        forget('revoked')
        signedOut('revoked')
      }
    },
  }
}
