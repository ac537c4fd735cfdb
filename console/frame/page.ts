import type { TemplateResult } from 'lit-html'
import type { Api } from '../api/client.ts'
import type { ApiDocument } from '../api/document.ts'
import type { Query } from './address.ts'
import type { Firm } from './firm.ts'
import type { Loader } from './loader.ts'
import type { Shortcuts } from './shortcuts.ts'

/** What a page gets when it is opened. */
export interface PageContext {
  readonly api: Api
  /** Describes all records, forms and filters. */
  readonly document: ApiDocument
  /** What `:id` of the page's template found in the path; '' if it has none. */
  readonly id: string
  /** The parameters of the address now; they change while the page is open. */
  query(): Query
  /** The id of the key that the console is signed in with; undefined: not known. */
  ownKeyId(): string | undefined
  /** Whether that key's scopes allow a call, for example `may('/contracts', 'POST')`. */
  may(path: string, method: string): boolean
  /** Whether the key has a scope that no call requires by itself, such as closing:override. */
  hasScope(scope: string): boolean
  /** The firm whose books these are; load it again after an edit. */
  readonly firm: Pick<Loader<Firm>, 'value' | 'load'>
  /** The moment that the whole console shows, as the API accepts it; undefined: now. */
  asOf(): string | undefined
  /** Aborted once the page is closed. */
  readonly signal: AbortSignal
  /** Shows the page's current state, once the running code is done. */
  update(): void
  /** Has screen readers announce something. */
  announce(text: string): void
  readonly shortcuts: Shortcuts
  /** Replaces parameters of the address, those that are undefined are removed; the page stays open. */
  setQuery(changes: Readonly<Record<string, string | undefined>>, how?: 'push' | 'replace'): void
  /** The address of this page with such changes. */
  here(changes: Readonly<Record<string, string | undefined>>): string
  /** The address of another page, with the date that the whole console shows. */
  link(path: string, query?: Readonly<Record<string, string | undefined>>): string
  /** Switches to another key; undefined: the one in use was revoked, which signs out. */
  useKey(key: string | undefined): void
  /** Goes to another page as it is today; the notice is shown and announced there. */
  go(path: string, notice?: string): void
}

/** A page while it is shown. */
export interface Page {
  /** Its heading, and the title of the window. */
  title(): string
  /** What is below the heading. */
  view(): TemplateResult
  /** Next to the heading: buttons and links. */
  actions?(): TemplateResult
  /** The parameters of the address have changed. */
  queryChanged?(): void
  /** Whether leaving would lose what was typed; a text: something else, and what to ask about it. */
  hasUnsavedInput?(): boolean | string
  /** Whether it follows the date that the whole console shows; otherwise it says that it shows today. */
  readonly followsAsOf?: boolean
}

/** One kind of page. */
export interface PageEntry {
  /** `/contracts/:id`: a name matches one segment. The first template that matches wins. */
  readonly path: string
  /** Its name in the navigation, if it is listed there. */
  readonly inNavigation?: string
  /** Whether that name is followed by how many proposals wait for a decision. */
  readonly isCounted?: boolean
  /** Pages whose paths begin with this also belong to that entry. */
  readonly alsoAt?: string
  /** The calls that it is for. It is hidden from keys that may make none of them. */
  readonly calls?: readonly (readonly [path: string, method: string])[]
  /** The key that opens it, except while somebody is typing. */
  readonly key?: string
  open(context: PageContext): Page
}
