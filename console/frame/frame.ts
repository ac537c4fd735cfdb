import { html, nothing, render, type TemplateResult } from 'lit-html'
import { createApi } from '../api/client.ts'
import { type ApiDocument, readDocument } from '../api/document.ts'
import { momentOf } from '../format/dates.ts'
import { type Address, AS_OF, formatAddress, parseAddress } from './address.ts'
import { asOfBanner, asOfControl } from './as-of.ts'
import { guardHistory } from './history-guard.ts'
import { createLoader, showLoaded } from './loader.ts'
import { type OpenPage, openPage } from './open-page.ts'
import type { PageEntry } from './page.ts'
import { createSession } from './session.ts'
import { createSignIn, type SignInReason } from './sign-in.ts'

/** The console as a whole: whoever is signed in, the address, and the page that it names. */
export function openConsole(root: HTMLElement, pages: readonly PageEntry[], start: string): void {
  const session = createSession(sessionStorage)
  let address = addressOfWindow(start)
  let open: OpenPage | undefined
  let signInReason: SignInReason
  /** What the page that is open says of the one before, and what the next one is to say. */
  let [notice, nextNotice] = ['', '']
  let announced = ''
  let focusesHeading = false
  /** On a narrow screen, where the navigation is folded otherwise. */
  let isMenuOpen = false

  const api = createApi(session.key, () => {
    if (session.key() === undefined) return
    session.signOut()
    signInReason = 'refused'
    update()
  })
  const update = onceAtATime(show)
  const guard = guardHistory({
    hasUnsavedInput,
    wouldLoseInput: () => hasUnsavedInput() && open?.path !== addressOfWindow(start).path,
    changed: addressChanged,
  })
  const signIn = createSignIn({ signedIn, update })
  const description = createLoader(
    async (signal): Promise<ApiDocument> => {
      const { body } = await createApi(
        () => undefined,
        () => {},
      ).get('openapi.json', { signal })
      return readDocument(body)
    },
    { signal: new AbortController().signal, update: descriptionChanged },
  )

  function hasUnsavedInput(): boolean {
    return open?.page.hasUnsavedInput?.() ?? false
  }

  function signedIn(key: string): void {
    session.signIn(key)
    signInReason = undefined
    focusesHeading = true
    if (open) open.page.queryChanged?.()
    else openNamed()
    update()
  }

  function signOut(): void {
    if (hasUnsavedInput() && !confirm('Sign out? What you typed here has not been saved.')) return
    session.signOut()
    close()
    update()
  }

  function useKey(key: string | undefined): void {
    // Whoever has signed out meanwhile stays so.
    if (session.key() === undefined) return
    if (key === undefined) {
      session.signOut()
      close()
      signInReason = 'revoked'
      focusesHeading = true
      update()
    } else session.signIn(key)
  }

  function descriptionChanged(): void {
    if (!open && session.key() !== undefined) openNamed()
    update()
  }

  function addressChanged(): void {
    address = addressOfWindow(start)
    isMenuOpen = false
    if (open && open.path === address.path) {
      open.page.queryChanged?.()
      update()
      return
    }
    close()
    focusesHeading = true
    if (session.key() !== undefined) openNamed()
    update()
  }

  function openNamed(): void {
    const described = description.value()
    if (!described) return
    open = openPage({
      api,
      document: described,
      pages,
      guard,
      address: () => address,
      update,
      announce,
      useKey,
      addressChanged,
      notify: (text) => {
        nextNotice = text
      },
    })
    ;[notice, nextNotice] = [nextNotice, '']
  }

  function close(): void {
    open?.close()
    open = undefined
    announced = ''
  }

  function announce(text: string): void {
    announced = text
    update()
  }

  function chooseAsOf(asOf: string | undefined): void {
    guard.set(formatAddress(address.path, { ...address.query, [AS_OF]: asOf }), 'push')
    addressChanged()
  }

  function toggleMenu(): void {
    isMenuOpen = !isMenuOpen
    update()
  }

  function show(): void {
    const isSignedIn = session.key() !== undefined
    render(isSignedIn ? signedInView() : signIn.view(signInReason), root)
    document.title = isSignedIn && open ? `${open.page.title()} · Mint` : 'Mint'
    if (focusesHeading && (open || !isSignedIn)) {
      focusesHeading = false
      root.querySelector<HTMLElement>('h1')?.focus()
      scrollTo(0, 0)
    }
  }

  function signedInView(): TemplateResult {
    const asOf = address.query[AS_OF]
    return html`
      <a class="skip-link" href="#main" @click=${skipToMain}>Skip to the content</a>
      <header class="top">
        <a class="brand" href=${formatAddress(start, { [AS_OF]: asOf })}>Mint</a>
        <button class="menu" type="button" aria-expanded=${isMenuOpen ? 'true' : 'false'} @click=${toggleMenu}>Menu</button>
        <nav aria-label="Pages" class=${isMenuOpen ? '' : 'folded'}><ul>${pages.map(navigationItem)}</ul></nav>
        <div class="top-end">
          ${asOfControl(asOf, chooseAsOf)}
          <button type="button" @click=${signOut}>Sign out</button>
        </div>
      </header>
      ${open ? asOfBanner(asOf, open.page.followsAsOf ?? false, formatAddress(address.path, { ...address.query, [AS_OF]: undefined })) : nothing}
      <main id="main">${open ? pageView(open) : showLoaded(description, () => html``)}</main>
      <p class="visually-hidden" role="status">${announced}</p>
    `
  }

  function navigationItem({ path, inNavigation }: PageEntry): TemplateResult | typeof nothing {
    if (inNavigation === undefined) return nothing
    const isCurrent = address.path === path || (path !== '/' && address.path.startsWith(`${path}/`))
    const href = formatAddress(path, { [AS_OF]: address.query[AS_OF] })
    return html`<li><a href=${href} aria-current=${isCurrent ? 'page' : nothing}>${inNavigation}</a></li>`
  }

  function pageView({ page }: OpenPage): TemplateResult {
    return html`
      <div class="heading">
        <h1 tabindex="-1"><bdi>${page.title()}</bdi></h1>
        <div class="actions">${page.actions?.() ?? nothing}</div>
      </div>
      ${notice === '' ? nothing : html`<p class="notice" role="status">${notice}</p>`}
      ${page.view()}
    `
  }

  update()
  void description.load()
}

/** The address in the window; without one, that of the start page. */
function addressOfWindow(start: string): Address {
  const { path, query } = parseAddress(location.hash)
  const { [AS_OF]: asOf = '', ...others } = query
  const moment = momentOf(asOf, new Date())
  return { path: path === '/' ? start : path, query: moment === undefined ? others : { ...others, [AS_OF]: moment } }
}

/** A link to #main would change the address. */
function skipToMain(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('main h1')?.focus()
}

/** Runs once for any number of calls in the running code. */
function onceAtATime(run: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    queueMicrotask(() => {
      isDue = false
      run()
    })
  }
}
