import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import type { Api } from '../api/client.ts'
import type { ClientNames } from './client-names.ts'
import { createClientSearch, NONE, type Option } from './client-search.ts'

/** What a box is shown with. */
interface BoxOptions {
  /** The id of its input, for its label. */
  readonly id: string
  /** The client's id, '' for none. */
  readonly value: string
  readonly changed: (clientId: string) => void
  readonly describedBy?: string
  readonly isInvalid?: boolean
}

/** A field in which a client is chosen by name: a combobox as the ARIA Authoring Practices describe it. */
export interface ClientBox {
  view(options: BoxOptions): TemplateResult
}

interface BoxServices {
  readonly api: Api
  readonly names: ClientNames
  readonly signal: AbortSignal
  readonly update: () => void
  readonly announce: (text: string) => void
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function createClientBox({ api, names, signal, update, announce }: BoxServices): ClientBox {
  const clients = createClientSearch({ api, signal, announce }, found)
  /** What is typed; undefined: the name of the value is shown. */
  let typed: string | undefined
  let isOpen = false
  let active = -1
  /** The client that was chosen among others of its name. */
  let namesake = ''

  function found(): void {
    active = -1
    isOpen = true
    update()
  }

  function close(): void {
    // An answer that comes later would open it again.
    clients.stop()
    isOpen = false
    active = -1
    update()
  }

  function view({ id, value, changed, describedBy, isInvalid = false }: BoxOptions): TemplateResult {
    const options = clients.found()
    const choose = ({ clientId, displayName }: Option) => {
      names.note(clientId, displayName)
      namesake = hasNamesake({ clientId, displayName }, options) ? clientId : ''
      typed = undefined
      close()
      changed(clientId)
    }
    const input = (event: Event) => {
      typed = (event.target as HTMLInputElement).value
      // An id can be pasted: a contract's client need not be known yet.
      const pasted = UUID.test(typed.trim()) ? typed.trim().toLowerCase() : ''
      if (pasted !== value) changed(pasted)
      clients.searchSoon(typed)
    }
    const keyDown = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const chosen = options[active]
      if (step !== undefined) {
        event.preventDefault()
        if (!isOpen) return void clients.search(typed ?? '')
        active = (active + step + options.length + (active === -1 && step === -1 ? 1 : 0)) % Math.max(1, options.length)
        update()
      } else if (event.key === 'Enter' && isOpen && chosen) {
        event.preventDefault()
        choose(chosen)
      } else if (event.key === 'Escape' && isOpen) {
        event.preventDefault()
        close()
      }
    }
    if (value !== '' && names.of(value) === undefined) void names.load([value])
    const shown = typed ?? (value === '' ? '' : names.of(value) || value)
    const isShown = isOpen && options.length > 0
    const isVain = isOpen && options.length === 0
    return html`<div class="combobox">
      <input id=${id} type="text" role="combobox" aria-autocomplete="list" autocomplete="off" spellcheck="false"
        aria-expanded=${isShown ? 'true' : 'false'} aria-controls="${id}-options"
        aria-activedescendant=${active >= 0 ? `${id}-option-${active}` : nothing}
        aria-describedby=${describedBy ?? nothing} aria-invalid=${isInvalid ? 'true' : 'false'}
        .value=${live(shown)} @input=${input} @keydown=${keyDown} @blur=${close}>
      <ul id="${id}-options" role="listbox" aria-label="Clients" ?hidden=${!isShown}>
        ${options.map(
          (
            option,
            index,
          ) => html`<li id="${id}-option-${index}" role="option" aria-selected=${index === active ? 'true' : 'false'}
            @mousedown=${(event: Event) => event.preventDefault()} @click=${() => choose(option)}><bdi>${option.displayName}</bdi>${hasNamesake(option, options) ? html` <code>${option.clientId}</code>` : nothing}</li>`,
        )}
      </ul>
      ${value !== '' && value === namesake ? html`<p class="hint">Others have this name. Its ID is <code>${value}</code>.</p>` : nothing}
      ${isVain ? html`<p class="hint">${NONE}</p>` : nothing}
    </div>`
  }

  return { view }
}

const hasNamesake = ({ clientId, displayName }: Option, options: readonly Option[]): boolean =>
  options.some((other) => other.displayName === displayName && other.clientId !== clientId)
