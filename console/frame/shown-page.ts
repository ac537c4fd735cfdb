import { html } from 'lit-html'
import { parts, text } from '../languages/texts.ts'
import { matchPath, type Query } from './address.ts'
import type { Page, PageContext, PageEntry } from './page.ts'
import { contextOf, type PageServices } from './page-context.ts'

interface OpenPage extends Pick<PageContext, 'setQuery'> {
  readonly page: Page
  readonly path: string
  readonly closing: AbortController
}

/** The page that is open, if any, with its notices. */
export function createShownPage(update: () => void) {
  let open: OpenPage | undefined
  /** What the page before has this one show, and this one the next. */
  let [notice, nextNotice] = ['', '']
  let announced = ''

  function announce(text: string): void {
    announced = text
    update()
  }

  return {
    page: () => open?.page,
    /** The path that it was opened for. */
    path: () => open?.path,
    notice: () => notice,
    announced: () => announced,
    announce,
    hasUnsavedInput: () => open?.page.hasUnsavedInput?.() ?? false,
    /** Replaces parameters of the address, as the page itself does. */
    setQuery: (changes: Parameters<PageContext['setQuery']>[0]) => open?.setQuery(changes),
    /** Opens the page that the address names. */
    open(services: PageServices): void {
      const { path } = services.address()
      const [openPage, parameters] = find(services.pages, path)
      const closing = new AbortController()
      const notify = (said: string) => (nextNotice = said)
      const context = contextOf(services, { parameters, signal: closing.signal, update, announce, notify })
      open = { page: openPage(context), path, closing, setQuery: context.setQuery }
      ;[notice, nextNotice] = [nextNotice, '']
    },
    queryChanged(): void {
      // The page may now show another date, which isn't what the notice is about.
      notice = ''
      open?.page.queryChanged?.()
    },
    close(): void {
      open?.closing.abort()
      open = undefined
      announced = ''
    },
  }
}

export type ShownPage = ReturnType<typeof createShownPage>

function find(pages: readonly PageEntry[], path: string): readonly [PageEntry['open'], Query] {
  for (const { path: template, open } of pages) {
    const parameters = matchPath(template, path)
    if (parameters) return [open, parameters]
  }
  return [missingPage, {}]
}

const missingPage = ({ link }: PageContext): Page => ({
  title: () => text('frame.missingPage'),
  view: () => {
    const start = html`<a href=${link('/')}>${text('frame.toStart')}</a>`
    return html`<p>${parts('frame.missingPageAdvice', { start })}</p>`
  },
})
