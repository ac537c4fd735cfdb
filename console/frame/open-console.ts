import { render } from 'lit-html'
import { createApi } from '../api/client.ts'
import { type ApiDocument, readDocument } from '../api/document.ts'
import { momentOf } from '../format/dates.ts'
import { type Address, AS_OF, formatAddress, parseAddress } from './address.ts'
import { createFirm } from './firm.ts'
import { focusHeading } from './focus.ts'
import { createFrame } from './frame.ts'
import { guardHistory } from './history-guard.ts'
import { createLoader } from './loader.ts'
import { createOwnKey } from './own-key.ts'
import type { PageEntry } from './page.ts'
import { createShortcuts } from './shortcuts.ts'
import { createShownPage } from './shown-page.ts'
import { createSigning } from './signing.ts'

/** The console as a whole: whoever is signed in, the address, and the page that it names. */
export function openConsole(root: HTMLElement, pages: readonly PageEntry[], start: string): void {
  let address = addressOfWindow(start)
  let focusesHeading = false

  const update = onceAtATime(show)
  const shown = createShownPage(update)
  const { hasUnsavedInput } = shown
  const wouldLoseInput = () => hasUnsavedInput() && shown.path() !== addressOfWindow(start).path
  const guard = guardHistory({ hasUnsavedInput, wouldLoseInput, changed: addressChanged })
  const { api, isSignedIn, signOut, useKey, view } = createSigning({ update, signedIn, signedOut, shown })
  const ownKey = createOwnKey(api, loaded)
  const firm = createFirm(api, loaded)
  const description = createLoader(readDescription, { signal: new AbortController().signal, update: loaded })
  const shortcuts = createShortcuts(openByKey)
  const frame = createFrame({ pages, start, api, ownKey, description, shown, chooseAsOf, signOut, update })
  void description.load()
  if (isSignedIn()) loadOwn()

  function loadOwn(): void {
    void ownKey.load()
    void firm.load()
  }

  function signedIn(): void {
    focusesHeading = true
    loadOwn()
    shown.page()?.queryChanged?.()
  }

  function signedOut(why?: 'revoked'): void {
    shown.close()
    focusesHeading ||= why === 'revoked'
    update()
  }

  /** The description, the key or the firm has been loaded, or could not be. */
  function loaded(): void {
    const document = description.value()
    if (document) firm.showCurrency(document)
    if (!shown.page() && isSignedIn()) openNamed()
    update()
  }

  function addressChanged(): void {
    address = addressOfWindow(start)
    frame.foldMenu()
    if (shown.path() === address.path) shown.queryChanged()
    else {
      shown.close()
      focusesHeading = true
      if (isSignedIn()) openNamed()
    }
    update()
  }

  function openNamed(): void {
    const document = description.value()
    if (!document || ownKey.isLoading() || firm.isLoading()) return
    const first = frame.firstPath(document)
    if (address.path === start && first !== start) {
      guard.set(formatAddress(first, address.query), 'replace')
      address = addressOfWindow(start)
    }
    shown.open({ api, document, pages, ownKey, firm, guard, shortcuts, address: () => address, useKey, addressChanged })
  }

  function openByKey(key: string): void {
    const document = isSignedIn() ? description.value() : undefined
    const entry = document && pages.find((one) => one.key === key && ownKey.mayUse(document, one))
    if (entry) location.hash = formatAddress(entry.path)
  }

  function chooseAsOf(asOf: string | undefined): void {
    guard.set(formatAddress(address.path, { ...address.query, [AS_OF]: asOf }), 'push')
    addressChanged()
  }

  function show(): void {
    const page = isSignedIn() ? shown.page() : undefined
    render(isSignedIn() ? frame.view(address) : view(), root)
    document.title = page ? `${page.title()} · Mint` : 'Mint'
    if (!focusesHeading || (isSignedIn() && !page)) return
    focusesHeading = false
    focusHeading(root)
  }
}

async function readDescription(signal: AbortSignal): Promise<ApiDocument> {
  const anonymous = createApi(() => undefined)
  return readDocument((await anonymous.get('openapi.json', { signal })).body)
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
