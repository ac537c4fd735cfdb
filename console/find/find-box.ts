import { html, type TemplateResult } from 'lit-html'
import { showCombobox } from '../fields/combobox.ts'
import { createOptionSearch } from '../fields/option-search.ts'
import type { PageContext } from '../frame/page.ts'
import { findAnywhere, type Places } from './find.ts'
import type { Found } from './found.ts'

interface FindOptions extends Pick<PageContext, 'signal' | 'announce' | 'update'> {
  /** As they are now: another key may see other things. */
  readonly places: () => Places
  /** Opens a page. */
  readonly go: (path: string) => void
}

/** The box on every page that finds a client, a contract, a business or a page. */
export function createFindBox({ places, go, ...shown }: FindOptions) {
  const search = createOptionSearch<Found>(shown, {
    find: async (text, signal) => {
      const options = text.trim() === '' ? [] : await findAnywhere(places(), text, signal)
      return { options, said: options.length === 0 ? 'Nothing found.' : `${options.length} found.` }
    },
    failed: 'Mint can’t be searched now.',
  })
  let text = ''

  function typed(value: string): void {
    text = value
    if (text.trim() === '') search.close()
    else search.searchSoon(text)
  }

  function choose({ path }: Found): void {
    text = ''
    search.close()
    go(path)
  }

  /** Enter takes the first of what is found; what is shown may have been found for an earlier text. */
  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    await search.search(text)
    const [first] = search.found()
    if (search.isOpen() && first) choose(first)
  }

  const show = ({ kind, name }: Found) => html`<bdi>${name}</bdi> <span class="quiet">${kind}</span>`
  const placeholder = 'Client, number or page'
  return (): TemplateResult => html`<form class="find combobox" role="search" @submit=${submit}>
    <label class="visually-hidden" for="find">Find</label>
    ${showCombobox<Found>({ id: 'find', label: 'Found', placeholder, search, text, typed, choose, show, shortcut: '/' })}
  </form>`
}
