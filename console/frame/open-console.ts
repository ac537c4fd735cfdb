import { render, type TemplateResult } from 'lit-html'
import { momentOf } from '../format/dates.ts'
import { text } from '../languages/texts.ts'
import { type Address, AS_OF, formatAddress, parseAddress } from './address.ts'
import { asOfText } from './as-of.ts'
import { createFocusKeeper, focusHeading } from './focus.ts'
import { createFrame } from './frame.ts'
import { guardHistory } from './history-guard.ts'
import { createKnown } from './known.ts'
import { showProblem } from './loader.ts'
import { forOneSender } from './one-sender.ts'
import type { PageEntry } from './page.ts'
import { takeReturned } from './provider.ts'
import { createShortcuts } from './shortcuts.ts'
import { createShownPage } from './shown-page.ts'
import { createSigning } from './signing.ts'

/** The console as a whole: who is signed in, the address, and the page that it names. */
export function openConsole(root: HTMLElement, pages: readonly PageEntry[], start: string): void {
  const returned = takeReturned()
  let address = addressOfWindow(start)
  let focusesHeading = false
  const keepingFocus = createFocusKeeper()
  const update = batched(show)
  const shown = createShownPage(update)
  const mayLeave = () => shown.path() === addressOfWindow(start).path || shown.mayLeave()
  const guard = guardHistory({ hasUnsavedInput: shown.hasUnsavedInput, mayLeave, changed: addressChanged })
  const mayBeOfPerson = () => known.mayBeOfPerson()
  const signing = createSigning({ returned, mayBeOfPerson, update, signedIn, signedOut, shown })
  const { isSignedIn, signOut, useKey, view } = signing
  let wasSignedIn = isSignedIn()
  const known = createKnown(signing.api, loaded)
  const api = forOneSender(signing.api, known.principal)
  const shortcuts = createShortcuts(openByKey)
  const frame = createFrame({ pages, start, api, known, shown, signOut, update })
  void known.description.load()
  if (isSignedIn()) known.loadOwn()

  function signedIn(): void {
    known.loadOwn()
    shown.page()?.queryChanged?.()
  }

  function signedOut(): void {
    shown.close()
    update()
  }

  /** The description, the key or the firm is loaded, or has failed to load. */
  function loaded(): void {
    if (!shown.page() && isSignedIn()) openNamed()
    update()
  }

  function addressChanged(): void {
    const before = address.query[AS_OF]
    address = addressOfWindow(start)
    frame.foldMenu()
    if (shown.path() === address.path) {
      const asOf = address.query[AS_OF]
      if (asOf !== before) shown.announce(asOf === undefined ? text('frame.backToToday') : asOfText(asOf))
      shown.queryChanged()
    } else {
      frame.clearFind()
      shown.close()
      focusesHeading = true
      if (isSignedIn()) {
        known.retry()
        openNamed()
      }
    }
    update()
  }

  function openNamed(): void {
    const document = known.document()
    if (!document) return
    const first = frame.firstPath()
    if (address.path === start && first !== start) {
      guard.set(formatAddress(first, address.query), 'replace')
      address = addressOfWindow(start)
    }
    shown.open({ api, document, pages, known, guard, shortcuts, address: () => address, useKey, addressChanged })
    if (known.may('/proposals', 'GET')) void known.waiting.load()
  }

  function openByKey(key: string): void {
    const entry = known.usable(pages).find((one) => one.key === key)
    if (entry && isSignedIn()) location.hash = formatAddress(entry.path)
  }

  /** Everything, or why it can't be shown: a defect, or a page that doesn't fit the others after an upgrade. */
  function whole(): TemplateResult {
    try {
      return isSignedIn() ? frame.view(address) : view()
    } catch (problem) {
      reportError(problem)
      return showProblem(problem)
    }
  }

  function show(): void {
    const isIn = isSignedIn()
    const page = isIn ? shown.page() : undefined
    focusesHeading ||= isIn !== wasSignedIn
    wasSignedIn = isIn
    keepingFocus(() => render(whole(), root))
    document.title = page ? `${page.title()} · Mint` : 'Mint'
    if (!focusesHeading || (isIn && !page)) return
    focusesHeading = false
    focusHeading(root)
  }
}

/** The address in the window; without one, that of the start page. */
function addressOfWindow(start: string): Address {
  const { path, query } = parseAddress(location.hash)
  const { [AS_OF]: asOf = '', ...others } = query
  const moment = momentOf(asOf, new Date())
  return { path: path === '/' ? start : path, query: moment === undefined ? others : { ...others, [AS_OF]: moment } }
}

/** Runs once, in a microtask, for all calls made before it. */
function batched(run: () => void): () => void {
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
