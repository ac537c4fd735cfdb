import { html, nothing, type TemplateResult } from 'lit-html'
import { createApi } from '../api/client.ts'
import { explain } from '../api/explain.ts'
import { ApiProblem, Explained } from '../api/problem.ts'
import { parts, text } from '../languages/texts.ts'
import { showPreferences } from './preferences.ts'
import { createSending } from './sending.ts'
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
  const checking = createSending({ update })

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const key = String(new FormData(form).get('key') ?? '').trim()
    await checking.run(async () => {
      await check(key)
      signedIn(key)
    })
    if (checking.problem() !== undefined) form.querySelector('input')?.focus()
  }

  return {
    view(reason: SignInReason): TemplateResult {
      const problem = checking.problem()
      return html`<main class="sign-in" id="main">
        <h1 tabindex="-1">${text('signIn.title')}</h1>
        ${reason === undefined ? nothing : html`<p class="notice">${text(`signIn.reason.${reason}`)}</p>`}
        ${provider()}
        <form @submit=${submit} novalidate>
          <label for="key">${text('signIn.key')}</label>
          <input id="key" name="key" type="password" autocomplete="current-password" spellcheck="false" autocapitalize="off" required autofocus
            aria-describedby="key-hint key-problem" aria-invalid=${problem !== undefined}>
          <p id="key-hint" class="hint">${parts('signIn.keyHint', { mint_: html`<code>mint_</code>` })}</p>
          <p id="key-problem" class="field-problem" role="alert">${problem === undefined ? '' : sentenceOf(problem)}</p>
          <button class="primary" ?disabled=${checking.isRunning()}>${text(checking.isRunning() ? 'signIn.checking' : 'signIn.signIn')}</button>
        </form>
        <p class="quiet">${text('signIn.whereStored')}</p>
      </main>
      ${showPreferences(shown)}`
    },
  }
}

/** Throws unless the API accepts a key. */
async function check(key: string): Promise<void> {
  if (key === '') throw new Explained(text('signIn.enterKey'))
  if (!/^mint_[\x21-\x7e]+$/.test(key)) throw new Explained(text('signIn.malformed'))
  await createApi(() => key).get('api-keys/current')
}

function sentenceOf(error: unknown): string {
  const { status } = error instanceof ApiProblem ? error : {}
  if (status === 401) return text('signIn.unknown')
  if (status === 429) return text('signIn.tooMany')
  return status === 403 ? text('signIn.between', { problem: explain(error) }) : explain(error)
}
