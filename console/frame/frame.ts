import { html, render, type TemplateResult } from 'lit-html'
import { createApi } from '../api/client.ts'
import { type ApiDocument, readDocument } from '../api/document.ts'
import { momentOf } from '../format/dates.ts'
import { type Address, AS_OF, formatAddress, parseAddress } from './address.ts'
import { guardHistory } from './history-guard.ts'
import { createLoader, showLoaded } from './loader.ts'
import { type OpenPage, openPage } from './open-page.ts'
import { createOwnKey } from './own-key.ts'
import type { PageEntry } from './page.ts'
import { createSession } from './session.ts'
import { showFrame } from './show-frame.ts'
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
  const ownKey = createOwnKey(api, loaded)
  const description = createLoader(
    async (signal): Promise<ApiDocument> => {
      const { body } = await createApi(
        () => undefined,
        () => {},
      ).get('openapi.json', { signal })
      return readDocument(body)
    },
    { signal: new AbortController().signal, update: loaded },
  )

  function hasUnsavedInput(): boolean {
    return open?.page.hasUnsavedInput?.() ?? false
  }

  function signedIn(key: string): void {
    session.signIn(key)
    signInReason = undefined
    focusesHeading = true
    void ownKey.load()
    open?.page.queryChanged?.()
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

  /** The description or the key has been loaded, or could not be. */
  function loaded(): void {
    if (!open && session.key() !== undefined) openNamed()
    update()
  }

  function addressChanged(): void {
    address = addressOfWindow(start)
    isMenuOpen = false
    if (open && open.path === address.path) {
      // Values of another date may follow, which are not what was saved.
      notice = ''
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
    if (!described || ownKey.isLoading()) return
    const usable = navigationOf(described)
    if (address.path === start && !usable.some(({ path }) => path === start)) {
      guard.set(formatAddress(usable[0]?.path ?? start, address.query), 'replace')
      address = addressOfWindow(start)
    }
    open = openPage({
      api,
      document: described,
      pages,
      ownKey,
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
    const described = description.value()
    return showFrame({
      navigation: described && ownKey.isSettled() ? navigationOf(described) : [],
      start,
      address,
      page: open?.page,
      notice,
      announced,
      isMenuOpen,
      loading: () => showLoaded(description, () => html``),
      toggleMenu,
      chooseAsOf,
      signOut,
    })
  }

  /** The pages in the navigation that the key may use. */
  function navigationOf(document: ApiDocument): readonly PageEntry[] {
    return pages.filter((entry) => entry.inNavigation !== undefined && ownKey.mayUse(document, entry))
  }

  update()
  void description.load()
  if (session.key() !== undefined) void ownKey.load()
}

/** The address in the window; without one, that of the start page. */
function addressOfWindow(start: string): Address {
  const { path, query } = parseAddress(location.hash)
  const { [AS_OF]: asOf = '', ...others } = query
  const moment = momentOf(asOf, new Date())
  return { path: path === '/' ? start : path, query: moment === undefined ? others : { ...others, [AS_OF]: moment } }
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
