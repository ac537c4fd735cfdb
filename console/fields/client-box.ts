import { html, nothing, type TemplateResult } from 'lit-html'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import type { ClientNames } from './client-names.ts'
import { showCombobox } from './combobox.ts'
import { createOptionSearch } from './option-search.ts'
import { clientIdIn } from './texts.ts'

/** How a box is shown. */
interface BoxOptions {
  /** The id of its input, for its label. */
  readonly id: string
  /** The client's id, '' for none. */
  readonly value: string
  readonly changed: (clientId: string) => void
  readonly describedBy?: string
  /** What is shown while there is no client, until something is typed. */
  readonly text?: string | undefined
  readonly isInvalid?: boolean
}

interface Option {
  readonly clientId: string
  readonly displayName: string
}

/** A field in which a client is chosen by name. */
export type ClientBox = (options: BoxOptions) => TemplateResult

const MAX_OPTIONS = 10

/** Creates a box, which is shown by calling it. */
export function createClientBox(context: PageContext, names: ClientNames): ClientBox {
  const clients = createOptionSearch<Option>(context, {
    find: async (search, signal) => {
      const { clients, total } = await context.api.get('clients', { query: { search, limit: MAX_OPTIONS }, signal })
      return { options: clients, said: foundText(clients.length, total) }
    },
    failed: text('clients.notSearched'),
  })
  /** What is typed; undefined: the name of the value is shown. */
  let typed: string | undefined
  /** Whether somebody has pressed Enter before choosing. */
  let isAsked = false
  /** The client that was chosen among others of its name. */
  let namesake = ''

  function choose(option: Option, changed: BoxOptions['changed']): void {
    const { clientId, displayName } = option
    names.note(clientId, displayName)
    namesake = hasNamesake(option, clients.found()) ? clientId : ''
    typed = undefined
    isAsked = false
    clients.close()
    changed(clientId)
  }

  function type(words: string, { value, changed, text: shown = '' }: BoxOptions): void {
    typed = words
    isAsked = false
    const pasted = clientIdIn(words)
    if (pasted !== value || shown !== '') changed(pasted)
    else context.update()
    clients.searchSoon(words)
  }

  /** Asks for a choice rather than continue without a client, unless only one is found for what was just typed. */
  async function ask(changed: BoxOptions['changed']): Promise<void> {
    // Read here, because the box may not have been rendered since the last keystroke.
    const words = typed ?? ''
    isAsked = true
    if (!clients.isOpen() || clients.searched() !== words) await clients.search(words)
    if (!isAsked || typed !== words) return
    const [only, ...others] = clients.searched() === words ? clients.found() : []
    if (only && others.length === 0) return choose(only, changed)
    context.announce(text('fields.chooseClient'))
    context.update()
  }

  return (options) => {
    const { value, changed, text: pasted = '' } = options
    // Something else has chosen or named a client since: rows that were pasted, or another address.
    if (typed !== undefined && (value !== clientIdIn(typed) || pasted !== '')) typed = undefined
    const unchosen = value === '' && typed?.trim() ? typed : ''
    if (value !== '' && names.of(value) === undefined) void names.load([value])
    const box = showCombobox<Option>({
      ...options,
      label: text('kind.title.clients'),
      search: clients,
      text: typed ?? (value === '' ? pasted : names.of(value) || value),
      typed: (words) => type(words, options),
      choose: (option) => choose(option, changed),
      unchosen: unchosen === '' ? undefined : () => void ask(changed),
      note: isAsked ? text('fields.chooseClient') : undefined,
      show: (option) => optionText(option, clients.found()),
    })
    return html`<div class="combobox">${box}
      ${value !== '' && value === namesake ? html`<p class="hint">${parts('clients.namesake', { id: html`<code>${value}</code>` })}</p>` : nothing}
    </div>`
  }
}

function foundText(shown: number, total: number): string {
  if (total === 0) return text('clients.noneFound')
  return total > shown ? text('clients.someFound', { shown, total }) : text('clients.found', { count: total })
}

/** Its name, and its id where others have the same name. */
function optionText(option: Option, found: readonly Option[]): TemplateResult {
  return html`<bdi>${option.displayName}</bdi>${hasNamesake(option, found) ? html` <code>${option.clientId}</code>` : nothing}`
}

const hasNamesake = ({ clientId, displayName }: Option, options: readonly Option[]): boolean =>
  options.some((other) => other.displayName === displayName && other.clientId !== clientId)
