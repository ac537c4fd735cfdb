import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import type { ClientNames } from './client-names.ts'
import { createClientSearch, type Option } from './client-search.ts'

/** What a box is shown with. */
interface BoxOptions {
  /** The id of its input, for its label. */
  readonly id: string
  /** The client's id, '' for none. */
  readonly value: string
  readonly changed: (clientId: string) => void
  readonly describedBy?: string
  /** What is shown while there is no client. */
  readonly text?: string | undefined
  readonly isInvalid?: boolean
}

/** A field in which a client is chosen by name: a combobox as the ARIA Authoring Practices describe it. */
export type ClientBox = (options: BoxOptions) => TemplateResult

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Creates a box, which is shown by calling it. */
export function createClientBox(context: PageContext, names: ClientNames): ClientBox {
  const clients = createClientSearch(context)
  /** What is typed; undefined: the name of the value is shown. */
  let typed: string | undefined
  /** The client that was chosen among others of its name. */
  let namesake = ''

  function choose(option: Option, changed: BoxOptions['changed']): void {
    const { clientId, displayName } = option
    names.note(clientId, displayName)
    namesake = hasNamesake(option, clients.found()) ? clientId : ''
    typed = undefined
    clients.close()
    changed(clientId)
  }

  function type(words: string, { value, changed }: BoxOptions): void {
    typed = words
    // An id can be pasted: a contract's client need not be known yet.
    const pasted = UUID.test(words.trim()) ? words.trim().toLowerCase() : ''
    if (pasted !== value) changed(pasted)
    clients.searchSoon(words)
  }

  /** What a key does; undefined: nothing of the box's own. */
  function actionOf(key: string, changed: BoxOptions['changed']): (() => unknown) | undefined {
    const step = STEPS[key]
    if (!clients.isOpen()) return step && (() => clients.search(typed ?? ''))
    if (step !== undefined) return () => clients.step(step)
    const found = clients.found()
    const option = found[clients.active()] ?? (found.length === 1 ? found[0] : undefined)
    if (key === 'Enter') return option && (() => choose(option, changed))
    return key === 'Escape' ? clients.close : undefined
  }

  return (options) => {
    const { id, value, changed, describedBy = nothing, isInvalid = false, text: pasted = '' } = options
    if (value !== '' && names.of(value) === undefined) void names.load([value])
    const shown = typed ?? (value === '' ? pasted : names.of(value) || value)
    const [found, active] = [clients.found(), clients.active()]
    const isShown = clients.isOpen() && found.length > 0
    const press = (event: KeyboardEvent) => {
      const act = actionOf(event.key, changed)
      if (act) event.preventDefault()
      act?.()
    }
    return html`<div class="combobox">
      <input id=${id} type="text" role="combobox" aria-autocomplete="list" autocomplete="off" spellcheck="false"
        aria-expanded=${isShown ? 'true' : 'false'} aria-controls="${id}-options"
        aria-activedescendant=${active >= 0 ? `${id}-option-${active}` : nothing}
        aria-describedby=${describedBy} aria-invalid=${isInvalid ? 'true' : 'false'} .value=${live(shown)}
        @input=${(event: Event) => type((event.target as HTMLInputElement).value, options)} @keydown=${press} @blur=${clients.close}>
      <ul id="${id}-options" role="listbox" aria-label=${text('clients.options')} ?hidden=${!isShown}>
        ${found.map(
          (
            option,
            index,
          ) => html`<li id="${id}-option-${index}" role="option" aria-selected=${index === active ? 'true' : 'false'}
          @mousedown=${(event: Event) => event.preventDefault()} @click=${() => choose(option, changed)}>${optionText(option, found)}</li>`,
        )}
      </ul>
      ${value !== '' && value === namesake ? html`<p class="hint">${parts('clients.namesake', { id: html`<code>${value}</code>` })}</p>` : nothing}
      ${clients.isOpen() && found.length === 0 ? html`<p class="hint">${text('clients.noneFound')}</p>` : nothing}
    </div>`
  }
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

/** Its name, and its id where others have the same name. */
function optionText(option: Option, found: readonly Option[]): TemplateResult {
  return html`<bdi>${option.displayName}</bdi>${hasNamesake(option, found) ? html` <code>${option.clientId}</code>` : nothing}`
}

const hasNamesake = ({ clientId, displayName }: Option, options: readonly Option[]): boolean =>
  options.some((other) => other.displayName === displayName && other.clientId !== clientId)
