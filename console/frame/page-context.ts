import type { Api } from '../api/client.ts'
import type { ApiDocument } from '../api/document.ts'
import { type Address, AS_OF, formatAddress } from './address.ts'
import type { HistoryGuard } from './history-guard.ts'
import type { Known } from './known.ts'
import type { PageContext, PageEntry } from './page.ts'
import type { Shortcuts } from './shortcuts.ts'

/** What pages need from the frame. */
export interface PageServices {
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

/** What belongs to a single page. */
interface OwnContext extends Pick<PageContext, 'parameters' | 'signal' | 'update' | 'announce'> {
  /** Has the next page show a notice. */
  notify(notice: string): void
}

/** The context of a page that is opened for the current address. */
export function contextOf(services: PageServices, { notify, ...own }: OwnContext): PageContext {
  const { api, document, known, guard, shortcuts, address, addressChanged, useKey } = services
  const { ownKeyId, may, hasScope, firm } = known
  const { path } = address()
  const asOf = () => address().query[AS_OF]
  return {
    ...own,
    api,
    document,
    query: () => address().query,
    ownKeyId,
    may,
    hasScope,
    firm,
    asOf,
    useKey,
    shortcuts,
    setQuery(changes, how = 'push') {
      // Debounced input can arrive after the page was left.
      if (own.signal.aborted) return
      guard.set(formatAddress(path, { ...address().query, ...changes }), how)
      addressChanged()
    },
    link: (to, query) => formatAddress(to, { [AS_OF]: asOf(), ...query }),
    go(to, said = '') {
      if (own.signal.aborted) return
      guard.set(formatAddress(to), 'push')
      notify(said)
      addressChanged()
    },
  }
}
