import { type Browser, type BrowserContextOptions, chromium, type Disposable, type Page } from 'playwright-core'

/** The browser's settings unless a test overrides them, so that results don't depend on the machine. */
export const BROWSER = {
  locale: 'en-US',
  timezoneId: 'America/Montreal',
  reducedMotion: 'reduce',
} as const satisfies BrowserContextOptions

/** In milliseconds. Shorter than a test's timeout, so that a failure says what the page was waiting for. */
const PAGE_TIMEOUT = 30_000

/** The windows of a suite. */
export interface Windows {
  /** An empty page in a window that no other page of the running test shares, signed in if there is a key. */
  take(options: BrowserContextOptions, key: string | undefined): Promise<Page>
  /** Leaves all pages, and closes those that aren't kept for later tests. */
  giveBack(kept: { readonly areKept: boolean }): Promise<void>
}

interface Window {
  /** The only page that it keeps. */
  readonly page: Page
  /** What LOOK was when it was new. */
  readonly look: unknown
}

interface TakenWindow extends Window {
  /** The same for equal options. */
  readonly name: string
  readonly signingIn: Disposable | undefined
}

/** One for all suites: starting it takes two seconds of processor time. */
let launched: Promise<Browser> | undefined
after(async () => (await launched)?.close())

/**
 * By the options of the test. A later test with the same ones gets the window with everything removed but the files
 * that the browser has loaded. Opening the console then takes 0.4 s of processor time; in a new window, 1.5.
 */
const free = new Map<string, Window[]>()

/** Everything that pages of the console have done and must not do. */
export const reported: string[] = []

/** Of the running suite: that of its Mint, and the one that pages may be redirected to. */
let [own, elsewhere]: readonly [string, string | undefined] = ['', undefined]

/** `url`: of the suite's Mint; `redirected`: the address of another host that the browser may be redirected to. */
export async function windowsFor(program: string, url: string, redirected?: string): Promise<Windows> {
  ;[own, elsewhere] = [url, redirected]
  launched ??= chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  const browser = await launched
  const taken: TakenWindow[] = []

  return {
    async take(options, key) {
      const name = JSON.stringify(options)
      const kept = free.get(name)?.pop()
      if (kept) await empty(kept.page, elsewhere ? [own, elsewhere] : [own])
      const window = kept ?? (await newWindow(browser, options))
      const context = window.page.context()
      const signingIn = key === undefined ? undefined : await context.addInitScript(signedIn(url, key))
      taken.push({ ...window, name, signingIn })
      return window.page
    },
    async giveBack({ areKept }) {
      for (const { page, look, name, signingIn } of taken.splice(0)) {
        if (!areKept) await describePage(page)
        await signingIn?.dispose()
        const isKept = areKept && !page.isClosed() && (await page.evaluate(LOOK)) === look
        if (!isKept) {
          await page.context().close()
          continue
        }
        await leave(page)
        free.set(name, [...(free.get(name) ?? []), { page, look }])
      }
    },
  }
}

async function newWindow(browser: Browser, options: BrowserContextOptions): Promise<Window> {
  const context = await browser.newContext({ ...BROWSER, ...options })
  context.setDefaultTimeout(PAGE_TIMEOUT)
  await context.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective, event.blockedURI))",
  )
  context.on('weberror', (error) => reported.push(String(error.error())))
  context.on('request', (request) => {
    const target = request.url()
    if (elsewhere && request.isNavigationRequest() && target.startsWith(`${elsewhere}/`)) return
    if (!target.startsWith(`${own}/`) && !/^(about|blob|data):/.test(target)) reported.push(`a request to ${target}`)
  })
  context.on('console', (message) => {
    const isRefusal =
      message.text().startsWith('Failed to load resource') && !message.location().url.includes('/console')
    // The browser logs it when the API refuses a request, which the console itself explains.
    if (message.type() === 'error' && !isRefusal) reported.push(message.text())
  })
  const page = await context.newPage()
  return { page, look: await page.evaluate(LOOK) }
}

/** A window starts with an empty document, which has no storage. */
function signedIn(url: string, key: string): string {
  return `if (location.origin === '${url}') sessionStorage.setItem('mint-api-key', '${key}')`
}

/** Logs what a page of a failed test shows, and where the focus is: some fail only once in many runs. */
async function describePage(page: Page): Promise<void> {
  const shown = page.evaluate(`document.body.innerText + '\\nfocus: ' + document.activeElement?.outerHTML`)
  console.log(`left by the failed test: ${page.url()}\n${await shown.catch(String)}`)
}

/** Ends what a test did with a page, and leaves what it shows. */
async function leave(page: Page): Promise<void> {
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // Other listeners only record. Without any for dialogs, none keeps the page from being left.
  await page.removeAllListeners('dialog', { behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await page.goto('about:blank')
}

/** Deletes what was stored, except for files. */
async function empty(page: Page, origins: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.send('Page.resetNavigationHistory')
  await session.detach()
}

/** What tests change for good: the clock (one that replaces it has its own toString), the size, the medium, the colours. */
const LOOK = `[
  Function.prototype.toString.call(Date).includes('[native code]'),
  innerWidth,
  innerHeight,
  matchMedia('print').matches,
  matchMedia('(prefers-color-scheme: dark)').matches,
].join()`
