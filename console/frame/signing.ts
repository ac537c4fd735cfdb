import { createApi } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { text } from '../languages/texts.ts'
import { createProviderSignIn, type Returned } from './provider.ts'
import { shareKey } from './shared-key.ts'
import type { ShownPage } from './shown-page.ts'
import { createSignIn, type SignInReason } from './sign-in.ts'

interface SigningOptions {
  readonly returned: Returned | undefined
  /** Whether the key in use may be of a person who signed in with the identity provider. */
  mayBeOfPerson(): boolean
  update(): void
  signedIn(): void
  signedOut(why?: 'revoked'): void
  readonly shown: ShownPage
}

/** Where the tab keeps the key until it is closed, so that a reload asks for nothing. */
const ITEM = 'mint-api-key'

/** Signing in and out, and the API as whoever is signed in may use it. */
export function createSigning({ returned, mayBeOfPerson, update, signedIn, signedOut, shown }: SigningOptions) {
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
    void provider.load()
  }

  /** Signing out is not put off by Mint being away, but then the key lasts for as long as it was made for. */
  async function endKey(used: string): Promise<void> {
    try {
      await createApi(() => used).request('DELETE', 'sign-in')
    } catch (error) {
      // A program's key doesn't end, and one that Mint no longer takes has ended.
      if (error instanceof ApiProblem && [401, 404].includes(error.status)) return
      reason = 'notEnded'
      update()
    }
  }

  const provider = createProviderSignIn({
    returned,
    signedIn(own, isForAnother) {
      use(own)
      if (!isForAnother) return
      shared.give(own)
      close()
    },
    waits: () => (takesKeys = true),
    hasUnsavedInput: shown.hasUnsavedInput,
    update,
  })
  if (!isSignedIn()) void provider.load()
  const form = createSignIn({ provider: provider.view, signedIn: use, shown, update })
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
      const used = key() ?? ''
      shared.end(used)
      if (mayBeOfPerson()) void endKey(used)
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
