import { html } from 'lit-html'
import type { Api } from '../api/client.ts'
import type { ApiDocument } from '../api/document.ts'
import { parts, text } from '../languages/texts.ts'
import { type Address, AS_OF, formatAddress, matchPath, type Query } from './address.ts'
import type { KnownFirm } from './firm.ts'
import type { HistoryGuard } from './history-guard.ts'
import type { OwnKey } from './own-key.ts'
import type { Page, PageContext, PageEntry } from './page.ts'
import type { Shortcuts } from './shortcuts.ts'

/** What pages need of the frame. */
interface PageServices {
  readonly api: Api
  readonly document: ApiDocument
  readonly pages: readonly PageEntry[]
  readonly ownKey: OwnKey
  readonly firm: KnownFirm
  readonly guard: HistoryGuard
  readonly shortcuts: Shortcuts
  address(): Address
  /** Follows a changed address. */
  addressChanged(): void
  useKey(key: string | undefined): void
}

/** The page that is open, if any, and what is said on it. */
export function createShownPage(update: () => void) {
  let open: { readonly page: Page; readonly path: string; readonly closing: AbortController } | undefined
  /** What this page says of the one before, and what the next one is to say. */
  let [notice, nextNotice] = ['', '']
  let announced = ''

  function announce(text: string): void {
    announced = text
    update()
  }

  /** The context of a page that is opened for the current address. */
  function contextOf(services: PageServices, parameters: Query, { signal }: AbortController): PageContext {
    const { api, document, ownKey, firm, guard, shortcuts, address, addressChanged, useKey } = services
    const { path } = address()
    const asOf = () => address().query[AS_OF]
    return {
      api,
      document,
      parameters,
      query: () => address().query,
      ownKeyId: ownKey.id,
      may: (path, method) => ownKey.may(document, path, method),
      hasScope: ownKey.hasScope,
      firm,
      asOf,
      signal,
      update,
      announce,
      useKey,
      shortcuts,
      setQuery(changes, how = 'push') {
        // What somebody typed just before leaving the page comes late.
        if (signal.aborted) return
        guard.set(formatAddress(path, { ...address().query, ...changes }), how)
        addressChanged()
      },
      link: (to, query) => formatAddress(to, { [AS_OF]: asOf(), ...query }),
      go(to, said = '') {
        if (signal.aborted) return
        guard.set(formatAddress(to), 'push')
        nextNotice = said
        addressChanged()
      },
    }
  }

  return {
    page: () => open?.page,
    /** The path that it was opened for. */
    path: () => open?.path,
    notice: () => notice,
    announced: () => announced,
    announce,
    hasUnsavedInput: () => open?.page.hasUnsavedInput?.() ?? false,
    /** Opens the page that the address names. */
    open(services: PageServices): void {
      const { path } = services.address()
      const [openPage, parameters] = find(services.pages, path)
      const closing = new AbortController()
      open = { page: openPage(contextOf(services, parameters, closing)), path, closing }
      ;[notice, nextNotice] = [nextNotice, '']
    },
    queryChanged(): void {
      // Values of another date may follow, which are not what was saved.
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
