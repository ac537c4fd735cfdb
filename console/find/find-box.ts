import { html, type TemplateResult } from 'lit-html'
import { showCombobox } from '../fields/combobox.ts'
import { createOptionSearch } from '../fields/option-search.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { findAnywhere, type Places } from './find.ts'
import type { Found } from './found.ts'

interface FindOptions extends Pick<PageContext, 'signal' | 'announce' | 'update'> {
  /** Called for each search: another key may see other things. */
  readonly places: () => Places
  /** Opens a page. */
  readonly go: (path: string) => void
}

/** The box on every page that finds a client, a contract, a business or a page. */
export function createFindBox({ places, go, ...shown }: FindOptions) {
  const search = createOptionSearch<Found>(shown, {
    find: async (words, signal) => {
      const options = words.trim() === '' ? [] : await findAnywhere(places(), words, signal)
      const count = options.length
      return { options, said: count === 0 ? text('find.nothing') : text('find.found', { count }) }
    },
    failed: text('find.failed'),
  })
  let words = ''

  function typed(value: string): void {
    words = value
    if (words.trim() === '') search.close()
    else search.searchSoon(words)
  }

  function clear(): void {
    words = ''
    search.close()
  }

  function choose({ path }: Found): void {
    clear()
    go(path)
  }

  /** Enter chooses the first result for the current text; those that are shown may be for an earlier one. */
  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    await search.search(words)
    const [first] = search.found()
    if (search.isOpen() && search.searched() === words && first) choose(first)
  }

  const show = ({ kind, name }: Found) =>
    html`<bdi>${name}</bdi> <span class="quiet">${text(`kind.one.${kind}`)}</span>`
  const fixed = { id: 'find', label: text('find.options'), placeholder: text('find.placeholder'), shortcut: '/' }
  const view = (): TemplateResult => html`<form class="find combobox" role="search" @submit=${submit}>
    <label class="visually-hidden" for="find">${text('find.label')}</label>
    ${showCombobox<Found>({ ...fixed, search, text: words, typed, choose, show })}
  </form>`
  return { clear, view }
}
