import { createApi } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { createProviderSignIn, type Returned } from './provider.ts'
import { shareKey } from './shared-key.ts'
import type { ShownPage } from './shown-page.ts'
import { createSignIn, type SignInReason } from './sign-in.ts'
import { inTab } from './storage.ts'

interface SigningOptions {
  readonly returned: Returned | undefined
  /** Whether the key in use may belong to a person who signed in with the identity provider. */
  mayBeOfPerson(): boolean
  update(): void
  signedIn(): void
  signedOut(): void
  readonly shown: ShownPage
}

/** Where the tab stores the key until it is closed, so that a reload needs no sign-in. */
const STORAGE_KEY = 'mint-api-key'

/** Signing in and out, and the API with the key of whoever is signed in. */
export function createSigning({ returned, mayBeOfPerson, update, signedIn, signedOut, shown }: SigningOptions) {
  let reason: SignInReason
  const key = () => inTab.get(STORAGE_KEY)
  const isSignedIn = () => key() !== undefined
  let acceptsKeys = !isSignedIn()
  const shared = shareKey({
    key,
    // Only a tab that was opened without a key accepts one: a tab that was signed out stays signed out.
    given: (other) => acceptsKeys && use(other),
    ended() {
      forget('elsewhere')
      update()
    },
  })
  if (acceptsKeys) shared.ask()

  function use(given: string): void {
    acceptsKeys = false
    inTab.set(STORAGE_KEY, given)
    reason = undefined
    signedIn()
  }

  function forget(why?: SignInReason): void {
    inTab.set(STORAGE_KEY, undefined)
    reason = why ?? reason
    void provider.load()
  }

  /** Signing out doesn't wait for Mint: if it can't be reached, the key stays valid until it expires. */
  async function endKey(used: string): Promise<void> {
    try {
      await createApi(() => used).request('DELETE', 'sign-in')
    } catch (error) {
      // A program's key isn't ended, and one that Mint no longer accepts has ended already.
      if (error instanceof ApiProblem && [401, 404].includes(error.status)) return
      reason = 'notEnded'
      update()
    }
  }

  const provider = createProviderSignIn({
    // Whoever is signed in has come back to an old address, or followed a link: no sign-in has failed.
    returned: isSignedIn() && returned?.pending === undefined ? undefined : returned,
    signedIn(own, isForAnother) {
      use(own)
      if (!isForAnother) return
      shared.give(own)
      close()
    },
    waits: () => (acceptsKeys = true),
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
      if (!shown.mayLeave()) return
      const used = key() ?? ''
      shared.end(used)
      if (mayBeOfPerson()) void endKey(used)
      forget()
      signedOut()
    },
    /** Switches to another key; undefined: the one in use was revoked. */
    useKey(other: string | undefined): void {
      // A tab that was signed out meanwhile stays signed out.
      if (!isSignedIn()) return
      if (other !== undefined) inTab.set(STORAGE_KEY, other)
      else {
        forget('revoked')
        signedOut()
      }
    },
  }
}
