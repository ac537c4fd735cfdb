import { html } from 'lit-html'
import type { Api } from '../api/client.ts'
import type { ApiDocument } from '../api/document.ts'
import { parts, text } from '../languages/texts.ts'
import { type Address, AS_OF, formatAddress, matchPath, type Query } from './address.ts'
import type { HistoryGuard } from './history-guard.ts'
import type { Known } from './known.ts'
import type { Page, PageContext, PageEntry } from './page.ts'
import type { Shortcuts } from './shortcuts.ts'

/** What pages need from the frame. */
interface PageServices {
  readonly api: Api
  readonly document: ApiDocument
  readonly pages: readonly PageEntry[]
  readonly known: Known
  readonly guard: HistoryGuard
  readonly shortcuts: Shortcuts
  address(): Address
  /** Follows a changed address. */
  addressChanged(): void
  useKey(key: string | undefined): void
}

interface OpenPage extends Pick<PageContext, 'api' | 'setQuery'> {
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

  const unsaved = () => open?.page.hasUnsavedInput?.() ?? false

  /** Screen readers announce only what changes: the same again, such as “File saved.”, ends in a space that isn't shown. */
  function announce(text: string): void {
    announced = announced === text ? `${text}\u00a0` : text
    update()
  }

  /** The context of a page that is opened for the current address. */
  function contextOf(services: PageServices, own: Pick<PageContext, 'id' | 'signal'>): PageContext {
    const { api, document, known, guard, shortcuts, address, addressChanged, useKey } = services
    const { ownKeyId, may, hasScope, firm } = known
    const { path } = address()
    const asOf = () => address().query[AS_OF]
    const here: PageContext['here'] = (changes) => formatAddress(path, { ...address().query, ...changes })
    /** Debounced input can arrive after the page was left, whose address it must not change. */
    function change(hash: string, how: 'push' | 'replace', said = ''): void {
      if (own.signal.aborted || !guard.set(hash, how)) return
      nextNotice = said
      addressChanged()
    }
    return {
      ...own,
      ...{ api, document, ownKeyId, may, hasScope, firm, asOf, here, useKey, shortcuts, update, announce },
      query: () => address().query,
      setQuery: (changes, how = 'push') => change(here(changes), how),
      link: (to, query) => formatAddress(to, { [AS_OF]: asOf(), ...query }),
      go: (to, said) => change(formatAddress(to), 'push', said),
    }
  }

  return {
    page: () => open?.page,
    /** The path that it was opened for. */
    path: () => open?.path,
    notice: () => notice,
    announced: () => announced,
    announce,
    hasUnsavedInput: () => unsaved() !== false,
    /** Asks whether to lose what was typed, if anything was. */
    mayLeave(): boolean {
      const lost = unsaved()
      if (lost === false) return true
      const question = text(open?.api.isWriting() ? 'frame.leaveWhileSaving' : 'frame.leaveQuestion')
      return confirm(lost === true ? question : lost)
    },
    /** Replaces parameters of the address, as the page itself does. */
    setQuery: (changes: Parameters<PageContext['setQuery']>[0]) => open?.setQuery(changes),
    /** Opens the page that the address names. */
    open(services: PageServices): void {
      const { path } = services.address()
      const [openPage, { id = '' }] = find(services.pages, path)
      const closing = new AbortController()
      const context = contextOf(services, { id, signal: closing.signal })
      open = { page: openPage(context), path, closing, api: context.api, setQuery: context.setQuery }
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
