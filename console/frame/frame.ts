import { html, nothing, type TemplateResult } from 'lit-html'
import type { Api } from '../api/client.ts'
import { createFindBox } from '../find/find-box.ts'
import { text } from '../languages/texts.ts'
import { type Address, AS_OF, formatAddress, parseAddress } from './address.ts'
import { asOfBanner, asOfControl } from './as-of.ts'
import type { Known } from './known.ts'
import { showLoaded } from './loader.ts'
import type { Page, PageEntry } from './page.ts'
import { showPreferences } from './preferences.ts'
import type { ShownPage } from './shown-page.ts'

interface FrameOptions {
  readonly pages: readonly PageEntry[]
  /** The path of the page that the console begins with. */
  readonly start: string
  readonly api: Api
  readonly known: Known
  readonly shown: ShownPage
  readonly signOut: () => void
  readonly update: () => void
}

/** What surrounds a page once somebody is signed in: the header with the navigation. */
export function createFrame(options: FrameOptions) {
  const { pages, start, api, known, shown, signOut, update } = options
  /** On a narrow screen, where the navigation is otherwise folded. */
  let isMenuOpen = false
  const findBox = createFindBox({
    places: () => ({ api, pages: navigation(), may: known.may }),
    go: (path) => location.assign(formatAddress(path, { [AS_OF]: parseAddress(location.hash).query[AS_OF] })),
    signal: new AbortController().signal,
    announce: shown.announce,
    update,
  })

  function toggleMenu(): void {
    isMenuOpen = !isMenuOpen
    update()
  }

  function foldMenu(): void {
    isMenuOpen = false
  }

  /** The pages in the navigation that the key may use. */
  function navigation(): readonly PageEntry[] {
    return known.usable(pages.filter(({ inNavigation }) => inNavigation !== undefined))
  }

  function view(address: Address): TemplateResult {
    const asOf = address.query[AS_OF]
    const today = formatAddress(address.path, { ...address.query, [AS_OF]: undefined })
    const page = shown.page()
    const folded = isMenuOpen ? '' : 'folded'
    return html`
      <a class="skip-link" href="#main" @click=${skipToMain}>${text('frame.skip')}</a>
      <header class="top">
        <a class="brand" href=${formatAddress(start, { [AS_OF]: asOf })}>Mint</a>
        ${known.description.value() ? findBox.view() : nothing}
        <button class="menu" type="button" aria-expanded=${isMenuOpen} @click=${toggleMenu}>${text('frame.menu')}</button>
        <div class="top-end ${folded}">
          ${page?.followsAsOf ? asOfControl(asOf, (chosen) => shown.setQuery({ [AS_OF]: chosen })) : nothing}
          <a class="button" href=${formatAddress('/help', { [AS_OF]: asOf })} aria-keyshortcuts="?" aria-label=${text('frame.help')} title=${text('frame.helpTitle')}>?</a>
          <button type="button" @click=${signOut}>${text('frame.signOut')}</button>
        </div>
        <nav aria-label=${text('frame.pages')} class=${folded}><ul>${navigation().map((entry) => navigationItem(entry, address, entry.isCounted ? known.waiting.value() : 0))}</ul></nav>
      </header>
      ${page ? asOfBanner(asOf, page.followsAsOf ?? false, today) : nothing}
      <main id="main">${page ? showPage(page, shown.notice()) : showLoaded(known.description, () => html``)}</main>
      ${showPreferences(shown)}
      <p class="visually-hidden" role="status">${shown.announced()}</p>
    `
  }

  /** The page that the console begins with, or else the first one that the key may use. */
  function firstPath(): string {
    const paths = navigation().map(({ path }) => path)
    return paths.includes(start) ? start : (paths[0] ?? start)
  }

  return { firstPath, foldMenu, clearFind: findBox.clear, view }
}

/** `waiting`: how many things wait there; 0 is not shown. */
function navigationItem(entry: PageEntry, address: Address, waiting = 0): TemplateResult {
  const { path, alsoAt = path, inNavigation } = entry
  const isCurrent = [path, alsoAt].some((at) => address.path === at || address.path.startsWith(`${at}/`))
  const href = formatAddress(path, { [AS_OF]: address.query[AS_OF] })
  return html`<li><a href=${href} aria-current=${isCurrent ? 'page' : nothing}>${inNavigation}${waiting === 0 ? nothing : ` ${text('proposals.waiting', { count: waiting })}`}</a></li>`
}

function showPage(page: Page, notice: string): TemplateResult {
  return html`
    <div class="heading">
      <h1 tabindex="-1"><bdi>${page.title()}</bdi></h1>
      <div class="actions">${page.actions?.() ?? nothing}</div>
    </div>
    ${notice === '' ? nothing : html`<p class="notice" role="status">${notice}</p>`}
    ${page.view()}
  `
}

/** A link to #main would change the address. */
function skipToMain(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('main h1')?.focus()
}
