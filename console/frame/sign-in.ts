import { html, nothing, type TemplateResult } from 'lit-html'
import { createApi } from '../api/client.ts'
import { ApiProblem, explain } from '../api/problem.ts'

/** Why somebody is asked for a key again. */
export type SignInReason = 'refused' | 'revoked' | 'elsewhere' | undefined

const REASONS = {
  refused:
    'Mint no longer takes your API key: it has expired, or somebody revoked it. Sign in with another; what you were doing is still here.',
  revoked: 'You revoked the key that you were signed in with. Sign in with another.',
  elsewhere: 'You signed out in another tab. What you were doing here is still there when you sign in again.',
} as const

/** The form that asks for an API key and checks it. */
export function createSignIn({ signedIn, update }: { signedIn: (key: string) => void; update: () => void }) {
  let problem: string | undefined
  let isChecking = false

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const key = String(new FormData(form).get('key') ?? '').trim()
    isChecking = true
    problem = undefined
    update()
    problem = key === '' ? 'Enter an API key.' : await problemOf(key)
    isChecking = false
    update()
    if (problem === undefined) signedIn(key)
    else form.querySelector('input')?.focus()
  }

  return {
    view(reason: SignInReason): TemplateResult {
      return html`<main class="sign-in" id="main">
        <h1 tabindex="-1">Sign in to Mint</h1>
        ${reason === undefined ? nothing : html`<p class="notice">${REASONS[reason]}</p>`}
        <form @submit=${submit} novalidate>
          <label for="key">API key</label>
          <input id="key" name="key" type="password" autocomplete="current-password" spellcheck="false" autocapitalize="off" required autofocus
            aria-describedby="key-hint key-problem" aria-invalid=${problem === undefined ? 'false' : 'true'}>
          <p id="key-hint" class="hint">It begins with <code>mint_</code>. <code>npm start</code> prints the first one; others are made here under Keys, or with <code>cli/mint keys create</code>.</p>
          <p id="key-problem" class="field-problem" role="alert">${problem ?? ''}</p>
          <button class="primary" ?disabled=${isChecking}>${isChecking ? 'Checking…' : 'Sign in'}</button>
        </form>
        <p class="quiet">The key stays in this browser’s tabs of Mint, and is gone when you sign out or close them.</p>
      </main>`
    },
  }
}

/** What is wrong with a key; undefined: the API takes it. */
async function problemOf(key: string): Promise<string | undefined> {
  if (!/^mint_[\x21-\x7e]+$/.test(key)) return 'An API key begins with mint_ and has no spaces. Copy the whole key.'
  const api = createApi(() => key)
  try {
    await api.get('api-keys/current')
    return undefined
  } catch (error) {
    if (!(error instanceof ApiProblem)) return explain(error)
    if (error.status === 401)
      return 'Mint doesn’t know this key, or it has expired or been revoked. Check that you copied all of it.'
    if (error.status === 429) return 'Too many attempts. Wait a few seconds, then try again.'
    if (error.status === 403) return `Something between this browser and Mint refuses the request: ${explain(error)}`
    return explain(error)
  }
}
