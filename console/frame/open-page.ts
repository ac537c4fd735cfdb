import type { Api } from '../api/client.ts'
import type { ApiDocument } from '../api/document.ts'
import { type Address, AS_OF, formatAddress, matchPath } from './address.ts'
import type { HistoryGuard } from './history-guard.ts'
import { missingPage } from './missing-page.ts'
import type { createOwnKey } from './own-key.ts'
import type { Page, PageEntry } from './page.ts'

/** A page that is open, until `close`. */
export interface OpenPage {
  readonly page: Page
  readonly entry: PageEntry | undefined
  /** The path that it was opened for. */
  readonly path: string
  close(): void
}

/** What pages need of the frame. */
export interface PageServices {
  readonly api: Api
  readonly document: ApiDocument
  readonly pages: readonly PageEntry[]
  readonly ownKey: ReturnType<typeof createOwnKey>
  readonly guard: HistoryGuard
  address(): Address
  update(): void
  announce(text: string): void
  /** Follows a changed address. */
  addressChanged(): void
  notify(notice: string): void
  useKey(key: string | undefined): void
}

/** Opens the page that the address names. */
export function openPage(services: PageServices): OpenPage {
  const { api, document, pages, ownKey, guard, update, announce, useKey } = services
  const { path } = services.address()
  const [entry, parameters] = find(pages, path)
  const closing = new AbortController()
  const link = (to: string, query: Readonly<Record<string, string | undefined>> = {}) =>
    formatAddress(to, { [AS_OF]: services.address().query[AS_OF], ...query })
  const page = (entry?.open ?? missingPage)({
    api,
    document,
    parameters,
    query: () => services.address().query,
    ownKeyId: ownKey.id,
    may: (path, method) => ownKey.may(document, path, method),
    hasScope: ownKey.hasScope,
    asOf: () => services.address().query[AS_OF],
    signal: closing.signal,
    update,
    announce,
    useKey,
    setQuery(changes, how = 'push') {
      // What somebody typed just before leaving the page comes late.
      if (closing.signal.aborted) return
      guard.set(formatAddress(path, { ...services.address().query, ...changes }), how)
      services.addressChanged()
    },
    link,
    go(to, notice) {
      if (closing.signal.aborted) return
      guard.set(formatAddress(to), 'push')
      if (notice !== undefined) services.notify(notice)
      services.addressChanged()
    },
  })
  return { page, entry, path, close: () => closing.abort() }
}

function find(pages: readonly PageEntry[], path: string): [PageEntry | undefined, Readonly<Record<string, string>>] {
  for (const entry of pages) {
    const parameters = matchPath(entry.path, path)
    if (parameters) return [entry, parameters]
  }
  return [undefined, {}]
}
