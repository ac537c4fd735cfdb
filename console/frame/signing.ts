import { createApi } from '../api/client.ts'
import { text } from '../languages/texts.ts'
import { shareKey } from './shared-key.ts'
import type { ShownPage } from './shown-page.ts'
import { createSignIn, type SignInReason } from './sign-in.ts'

interface SigningOptions {
  update(): void
  signedIn(): void
  signedOut(why?: 'revoked'): void
  readonly shown: ShownPage
}

/** Where the tab keeps the key until it is closed, so that a reload asks for nothing. */
const ITEM = 'mint-api-key'

/** Signing in and out, and the API as whoever is signed in may use it. */
export function createSigning({ update, signedIn, signedOut, shown }: SigningOptions) {
  let reason: SignInReason
  const key = () => sessionStorage.getItem(ITEM) ?? undefined
  const isSignedIn = () => key() !== undefined
  let takesKeys = !isSignedIn()
  const shared = shareKey({ key, given, ended })
  if (takesKeys) shared.ask()

  /** Only a tab that was opened without a key takes one: whoever has signed out of it stays so. */
  function given(other: string): void {
    if (takesKeys) use(other)
  }

  function ended(): void {
    forget('elsewhere')
    update()
  }

  function use(given: string): void {
    takesKeys = false
    sessionStorage.setItem(ITEM, given)
    reason = undefined
    signedIn()
  }

  function forget(why?: SignInReason): void {
    sessionStorage.removeItem(ITEM)
    reason = why ?? reason
  }

  const form = createSignIn({ signedIn: use, shown, update })
  return {
    api: createApi(key, () => {
      if (!isSignedIn()) return
      forget('refused')
      update()
    }),
    isSignedIn,
    view: () => form.view(reason),
    signOut(): void {
      if (shown.hasUnsavedInput() && !confirm(text('frame.signOutQuestion'))) return
      shared.end(key() ?? '')
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
