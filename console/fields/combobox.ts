import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import type { OptionSearch } from './option-search.ts'

interface ComboboxOptions<Option> {
  /** The id of its input, for its label. */
  readonly id: string
  /** What its options are. */
  readonly label: string
  readonly search: OptionSearch<Option>
  /** The text in its input. */
  readonly text: string
  readonly typed: (text: string) => void
  readonly choose: (option: Option) => void
  /** What Enter does where no option is chosen; undefined: what it does in any input. */
  readonly unchosen?: (() => void) | undefined
  /** A note above the options. */
  readonly note?: string | undefined
  readonly show: (option: Option) => TemplateResult
  readonly placeholder?: string
  readonly describedBy?: string
  readonly isInvalid?: boolean
  /** The key that moves the focus to it. */
  readonly shortcut?: string
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

/** A field with options that are searched while somebody types: a combobox as the ARIA Authoring Practices describe it. */
export function showCombobox<Option>(options: ComboboxOptions<Option>): TemplateResult {
  const { id, label, search, text, typed, choose, show } = options
  const [found, active] = [search.found(), search.active()]
  const press = (event: KeyboardEvent) => {
    const act = actionOf(event.key, (event.target as HTMLInputElement).value, options)
    if (act) event.preventDefault()
    act?.()
  }
  const note = found.length === 0 ? search.said() : options.note
  const noted = html`<li role="option" aria-disabled="true" class="quiet">${note}</li>`
  const item = (option: Option, index: number) => html`<li id="${id}-option-${index}" role="option"
    aria-selected=${index === active}
    @mousedown=${(event: Event) => event.preventDefault()} @click=${() => choose(option)}>${show(option)}</li>`
  return html`<input id=${id} type="text" role="combobox" aria-autocomplete="list" autocomplete="off" spellcheck="false"
      aria-expanded=${search.isOpen()} aria-controls="${id}-options" placeholder=${options.placeholder ?? nothing}
      aria-activedescendant=${active >= 0 ? `${id}-option-${active}` : nothing}
      aria-keyshortcuts=${options.shortcut ?? nothing} aria-describedby=${options.describedBy ?? nothing} aria-invalid=${options.isInvalid ?? false} .value=${live(text)}
      @input=${(event: Event) => typed((event.target as HTMLInputElement).value)} @keydown=${press} @blur=${search.close}>
    <ul id="${id}-options" role="listbox" aria-label=${label} ?hidden=${!search.isOpen()}>${note === undefined ? nothing : noted}${found.map(item)}</ul>`
}

/** What a key does in the box; undefined: only what it does in any input. */
function actionOf<Option>(
  key: string,
  text: string,
  { id, search, choose, unchosen }: ComboboxOptions<Option>,
): (() => unknown) | undefined {
  const step = STEPS[key]
  const found = search.found()
  // A single option needs no choice, unless the text has changed since.
  const isOnly = found.length === 1 && search.searched() === text
  const option = found[search.active()] ?? (isOnly ? found[0] : undefined)
  if (key === 'Enter') return search.isOpen() && option ? () => choose(option) : unchosen
  if (!search.isOpen()) return step && (() => search.search(text))
  if (step !== undefined) {
    return () => {
      search.step(step)
      // The focus stays in the input, so browsers don't scroll to the option.
      document.getElementById(`${id}-option-${search.active()}`)?.scrollIntoView({ block: 'nearest' })
    }
  }
  return key === 'Escape' ? search.close : undefined
}
