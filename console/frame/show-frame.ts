import { html, nothing, type TemplateResult } from 'lit-html'
import { type Address, AS_OF, formatAddress } from './address.ts'
import { asOfBanner, asOfControl } from './as-of.ts'
import type { Page, PageEntry } from './page.ts'

/** What is around a page, for whoever is signed in. */
interface FrameOptions {
  /** What the navigation leads to. */
  readonly navigation: readonly PageEntry[]
  /** The path of the page that the console begins with. */
  readonly start: string
  readonly address: Address
  /** undefined: none is open yet. */
  readonly page: Page | undefined
  /** What the page before has left to say. */
  readonly notice: string
  /** What a screen reader says. */
  readonly announced: string
  readonly isMenuOpen: boolean
  /** Shown until a page is open. */
  readonly loading: () => TemplateResult
  readonly toggleMenu: () => void
  readonly chooseAsOf: (asOf: string | undefined) => void
  readonly signOut: () => void
}

/** Shows the header with the navigation, and the page below. */
export function showFrame(options: FrameOptions): TemplateResult {
  const { navigation, start, address, page, announced, isMenuOpen, loading, toggleMenu, chooseAsOf, signOut } = options
  const asOf = address.query[AS_OF]
  const today = formatAddress(address.path, { ...address.query, [AS_OF]: undefined })
  return html`
    <a class="skip-link" href="#main" @click=${skipToMain}>Skip to the content</a>
    <header class="top">
      <a class="brand" href=${formatAddress(start, { [AS_OF]: asOf })}>Mint</a>
      <button class="menu" type="button" aria-expanded=${isMenuOpen ? 'true' : 'false'} @click=${toggleMenu}>Menu</button>
      <nav aria-label="Pages" class=${isMenuOpen ? '' : 'folded'}><ul>${navigation.map((entry) => navigationItem(entry, address))}</ul></nav>
      <div class="top-end">
        ${asOfControl(asOf, chooseAsOf)}
        <button type="button" @click=${signOut}>Sign out</button>
      </div>
    </header>
    ${page ? asOfBanner(asOf, page.followsAsOf ?? false, today) : nothing}
    <main id="main">${page ? showPage(page, options) : loading()}</main>
    <p class="visually-hidden" role="status">${announced}</p>
  `
}

function navigationItem({ path, inNavigation }: PageEntry, address: Address): TemplateResult {
  const isCurrent = address.path === path || address.path.startsWith(`${path}/`)
  const href = formatAddress(path, { [AS_OF]: address.query[AS_OF] })
  return html`<li><a href=${href} aria-current=${isCurrent ? 'page' : nothing}>${inNavigation}</a></li>`
}

function showPage(page: Page, { notice }: FrameOptions): TemplateResult {
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
