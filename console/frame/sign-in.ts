import { html, nothing, type TemplateResult } from 'lit-html'
import { createApi } from '../api/client.ts'
import { explain } from '../api/explain.ts'
import { ApiProblem } from '../api/problem.ts'
import { parts, text } from '../languages/texts.ts'
import { showPreferences } from './preferences.ts'
import type { ShownPage } from './shown-page.ts'

/** Why somebody is asked to sign in again. */
export type SignInReason = 'refused' | 'notEnded' | 'revoked' | 'elsewhere' | undefined

interface SignInOptions {
  /** What comes before the form. */
  readonly provider: () => unknown
  readonly signedIn: (key: string) => void
  readonly shown: ShownPage
  readonly update: () => void
}

/** The form that asks for an API key and checks it. */
export function createSignIn({ provider, signedIn, shown, update }: SignInOptions) {
  let problem: string | undefined
  let isChecking = false

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const key = String(new FormData(form).get('key') ?? '').trim()
    isChecking = true
    problem = undefined
    update()
    problem = key === '' ? text('signIn.enterKey') : await problemOf(key)
    isChecking = false
    update()
    if (problem === undefined) signedIn(key)
    else form.querySelector('input')?.focus()
  }

  return {
    view(reason: SignInReason): TemplateResult {
      return html`<main class="sign-in" id="main">
        <h1 tabindex="-1">${text('signIn.title')}</h1>
        ${reason === undefined ? nothing : html`<p class="notice">${text(`signIn.reason.${reason}`)}</p>`}
        ${provider()}
        <form @submit=${submit} novalidate>
          <label for="key">${text('signIn.key')}</label>
          <input id="key" name="key" type="password" autocomplete="current-password" spellcheck="false" autocapitalize="off" required autofocus
            aria-describedby="key-hint key-problem" aria-invalid=${problem !== undefined}>
          <p id="key-hint" class="hint">${parts('signIn.keyHint', { mint_: html`<code>mint_</code>` })}</p>
          <p id="key-problem" class="field-problem" role="alert">${problem ?? ''}</p>
          <button class="primary" ?disabled=${isChecking}>${isChecking ? text('signIn.checking') : text('signIn.signIn')}</button>
        </form>
        <p class="quiet">${text('signIn.whereStored')}</p>
      </main>
      ${showPreferences(shown)}`
    },
  }
}

/** What is wrong with a key; undefined: the API accepts it. */
async function problemOf(key: string): Promise<string | undefined> {
  if (!/^mint_[\x21-\x7e]+$/.test(key)) return text('signIn.malformed')
  const api = createApi(() => key)
  try {
    await api.get('api-keys/current')
    return undefined
  } catch (error) {
    if (!(error instanceof ApiProblem)) return explain(error)
    if (error.status === 401) return text('signIn.unknown')
    if (error.status === 429) return text('signIn.tooMany')
    if (error.status === 403) return text('signIn.between', { problem: explain(error) })
    return explain(error)
  }
}
