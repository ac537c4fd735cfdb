import { html, nothing, type TemplateResult } from 'lit-html'
import { createApi } from '../api/client.ts'
import { explain } from '../api/explain.ts'
import { ApiProblem, Explained, hasCode } from '../api/problem.ts'
import { text } from '../languages/texts.ts'
import { createSending } from './sending.ts'

/** Where a tab stores what must survive the round trip to the identity provider. */
const STORAGE_KEY = 'mint-sign-in'

/** A sign-in that has begun. */
interface Pending {
  /** Known to this tab alone: without it the code in the address is worthless. */
  readonly state: string
  /** Names the page to come back to. */
  readonly hash: string
  /** Whether this tab was opened only to sign in. */
  readonly isForAnother: boolean
}

/** What the identity provider has sent the browser back with. */
export interface Returned {
  readonly parameters: URLSearchParams
  /** undefined: no sign-in began in this tab. */
  readonly pending: Pending | undefined
}

/** Takes a provider's answer out of the address, before anybody copies or bookmarks it; undefined: there is none. */
export function takeReturned(): Returned | undefined {
  const parameters = new URLSearchParams(location.search)
  if (!parameters.has('state') || !(parameters.has('code') || parameters.has('error'))) return undefined
  const stored = sessionStorage.getItem(STORAGE_KEY)
  sessionStorage.removeItem(STORAGE_KEY)
  const pending: Pending | undefined = stored === null ? undefined : JSON.parse(stored)
  history.replaceState(history.state, '', `${location.pathname}${pending?.hash ?? location.hash}`)
  return { parameters, pending }
}

interface ProviderOptions {
  readonly returned: Returned | undefined
  /** `isForAnother`: the key is for the tab that opened this one. */
  signedIn(key: string, isForAnother: boolean): void
  /** Another tab was opened, which is going to sign in for this one. */
  waits(): void
  hasUnsavedInput(): boolean
  update(): void
}

/** Signing in with the organisation's identity provider, where Mint has one. */
export function createProviderSignIn({ returned, signedIn, waits, hasUnsavedInput, update }: ProviderOptions) {
  const api = createApi(() => undefined)
  const signing = createSending({ update })
  let isOffered = false
  if (returned) void signing.run(() => complete(returned))

  /** Mint checks the answer against this tab's own sign-in. */
  async function complete({ parameters, pending }: Returned): Promise<void> {
    if (!pending) throw new Explained(text('signIn.provider.lost'))
    const [code, returnedState, iss] = ['code', 'state', 'iss'].map((name) => parameters.get(name) ?? undefined)
    if (code === undefined) throw new Explained(text('signIn.provider.denied'))
    const body = { code, state: pending.state, returnedState, iss }
    signedIn((await api.request('POST', 'sign-in', { body })).body.key, pending.isForAnother)
  }

  async function begin(tab: Window | null): Promise<void> {
    try {
      const { url, state } = await api.get('sign-in')
      const pending: Pending = { state, hash: location.hash, isForAnother: tab !== null }
      const target = tab ?? window
      target.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(pending))
      target.location.assign(url)
    } catch (error) {
      tab?.close()
      throw error
    }
  }

  /** Leaving the page would lose what was typed there, so another tab signs in and hands over its key. */
  function chosen(): void {
    const tab = hasUnsavedInput() ? open('about:blank') : null
    if (tab) {
      // The provider's page gets no access to this one.
      tab.opener = null
      waits()
    }
    void signing.run(() => begin(tab))
  }

  return {
    /** Finds out whether there is a provider. */
    async load(): Promise<void> {
      const offered = api.get('sign-in').then(({ available }) => available)
      isOffered = await offered.catch((error) => hasCode(error, 'unavailable'))
      update()
    },
    view(): TemplateResult | typeof nothing {
      const [isRunning, problem] = [signing.isRunning(), signing.problem()]
      if (!isOffered && !isRunning && problem === undefined) return nothing
      return html`
        <button type="button" class="primary" ?disabled=${isRunning} @click=${chosen}>${text(isRunning ? 'signIn.provider.signingIn' : 'signIn.provider.signIn')}</button>
        <p class="field-problem" role="alert">${problem === undefined ? '' : sentenceOf(problem)}</p>
        <p class="quiet">${text('signIn.provider.orKey')}</p>
      `
    },
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return explain(error)
  if (error.status === 400) return text('signIn.provider.refused')
  if (error.code === 'insufficient_scope') return text('signIn.provider.noAccess')
  return error.code === 'unavailable' ? text('signIn.provider.away') : explain(error)
}
