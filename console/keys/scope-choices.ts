import { html, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import { text, textIfAny } from '../languages/texts.ts'

/** Every scope that a key may have, with what it allows. */
export function scopeMeanings(document: ApiDocument): Readonly<Record<string, string>> {
  const { enum: scopes = [], 'x-enumDescriptions': meanings = {} } =
    document.schema('NewApiKey').properties?.scopes?.items ?? {}
  return Object.fromEntries(scopes.map((scope) => [scope, textIfAny(`scope.${scope}`) ?? meanings[scope] ?? '']))
}

interface ChoicesOptions {
  readonly meanings: Readonly<Record<string, string>>
  readonly chosen: ReadonlySet<string>
  readonly problem: string
  readonly changed: (scope: string, isChosen: boolean) => void
}

/** Lets somebody choose scopes. */
export function showScopeChoices({ meanings, chosen, problem, changed }: ChoicesOptions): TemplateResult {
  return html`<fieldset id="scopes" tabindex="-1" class=${problem === '' ? 'scope-choices' : 'scope-choices invalid'} aria-describedby="scopes-problem">
    <legend>${text('keys.mayDo')}</legend>
    <p id="scopes-problem" class="field-problem">${problem}</p>
    ${Object.entries(meanings).map(([scope, meaning]) => {
      const id = `scope-${scope.replace(':', '-')}`
      return html`<div>
        <input type="checkbox" id=${id} .checked=${chosen.has(scope)} aria-describedby="${id}-meaning"
          @change=${(event: Event) => changed(scope, (event.target as HTMLInputElement).checked)}>
        <label for=${id}><code>${scope}</code></label>
        <p class="hint" id="${id}-meaning">${meaning}</p>
      </div>`
    })}
  </fieldset>`
}
