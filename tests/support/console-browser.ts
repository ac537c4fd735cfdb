import assert from 'node:assert/strict'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Disposable,
  type Page,
} from 'playwright-core'
import { chromiumProgram, describeOn } from './engines.ts'
import { type MintOptions, type MintProcess, startMint } from './mint-process.ts'
import { type Rest, restClient } from './rest.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A Mint, and a browser for its console. */
export interface ConsoleUnderTest {
  readonly mint: MintProcess
  /** Calls the API beside the browser. */
  readonly call: Rest
  /** Opens the console in a separate window, signed in unless told otherwise; `hash` names the page: `#/contracts`. */
  open(hash?: string, options?: OpenOptions): Promise<Page>
}

interface OpenOptions extends BrowserContextOptions {
  /** The key to sign in with; undefined: not signed in. Default: a key with all scopes. */
  readonly key?: string | undefined
}

interface ConsoleMintOptions extends Omit<MintOptions, 'dataFolder'> {
  /** Prepares the data before Mint starts. */
  readonly prepare?: (dataFolder: string) => Promise<void>
  /** The address of another host that the browser is redirected to, and returns from. */
  readonly elsewhere?: () => string
}

/** The browser's settings unless a test overrides them, so that results don't depend on the machine. */
export const BROWSER = {
  locale: 'en-US',
  timezoneId: 'America/Montreal',
  reducedMotion: 'reduce',
} as const satisfies BrowserContextOptions

/** In milliseconds. Shorter than a test's timeout, so that a failure says what the page was waiting for. */
const PAGE_TIMEOUT = 30_000

/** One for all suites, whose windows share nothing: starting it takes two seconds of processor time. */
let launched: Promise<Browser> | undefined
const browserOf = (program: string): Promise<Browser> =>
  (launched ??= chromium.launch({ executablePath: program, args: ['--no-sandbox'] }))
after(async () => (await launched)?.close())

/**
 * Registers a suite in Chromium with its own Mint. A test also fails if a page violates its Content-Security-Policy,
 * logs an error, or sends a request to another host.
 */
export function describeConsole(
  title: string,
  suite: (running: () => ConsoleUnderTest) => void,
  { prepare, elsewhere, ...mintOptions }: ConsoleMintOptions = {},
): void {
  describeOn(chromiumProgram(), title, (program) => {
    const folder = temporaryFolder()
    const problems: string[] = []
    let mint: MintProcess | undefined
    let windows: Windows | undefined

    before(async () => {
      await prepare?.(folder.path)
      mint = await startMint({ dataFolder: folder.path, patience: 50_000, ...mintOptions })
      windows = windowsOf(await browserOf(program), mint.url, { problems, elsewhere })
    })
    afterEach(async () => {
      await windows?.giveBack()
      assert.deepEqual(problems.splice(0), [], 'what the browser reported')
    })
    after(async () => {
      await windows?.close()
      await mint?.kill()
      folder.remove()
    })

    suite(() => {
      if (!mint || !windows) throw new Error('the browser runs only while tests do')
      return underTest(mint, windows)
    })
  })
}

function underTest(mint: MintProcess, windows: Windows): ConsoleUnderTest {
  return {
    mint,
    call: restClient({ url: mint.url, key: mint.key }),
    async open(hash = '', options = {}) {
      const { key, ...contextOptions } = { key: mint.key, ...options }
      const page = await windows.take(contextOptions, key)
      await page.goto(`${mint.url}/console${hash}`)
      return page
    },
  }
}

/** The windows of a suite. */
interface Windows {
  /** An empty page in a window that no other page of the running test shares, signed in if there is a key. */
  take(options: BrowserContextOptions, key: string | undefined): Promise<Page>
  /** Closes all pages. */
  giveBack(): Promise<void>
  close(): Promise<void>
}

interface TakenWindow {
  readonly context: BrowserContext
  /** The same for equal options. */
  readonly name: string
  readonly signingIn: Disposable | undefined
}

/**
 * A window is reused by later tests with the same options, with everything that a page stored removed. It has already
 * loaded the console's files: suites need 10 to 20 % less processor time than with a new window for each page.
 */
function windowsOf(browser: Browser, url: string, watching: Watching): Windows {
  const free = new Map<string, BrowserContext[]>()
  const taken: TakenWindow[] = []

  /** Undefined if there is no window to reuse. */
  async function pageInKeptWindow(name: string): Promise<Page | undefined> {
    const page = await free.get(name)?.pop()?.newPage()
    if (page === undefined) return undefined
    await forgetStored(page, watching.elsewhere ? [url, watching.elsewhere()] : [url])
    if (await page.evaluate(HAS_OWN_CLOCK)) return page
    // A clock that a test replaced can't be restored.
    await page.context().close()
    return undefined
  }

  return {
    async take(options, key) {
      const name = JSON.stringify(options)
      const page = (await pageInKeptWindow(name)) ?? (await newWindow(browser, options, url, watching))
      const context = page.context()
      const signingIn = key === undefined ? undefined : await context.addInitScript(signedIn(url, key))
      taken.push({ context, name, signingIn })
      return page
    },
    async giveBack() {
      for (const { context, name, signingIn } of taken.splice(0)) {
        for (const page of context.pages()) await page.close()
        await signingIn?.dispose()
        await context.setOffline(false)
        await context.clearCookies()
        free.set(name, [...(free.get(name) ?? []), context])
      }
    },
    async close() {
      for (const context of [...free.values()].flat()) await context.close()
    },
  }
}

async function newWindow(
  browser: Browser,
  options: BrowserContextOptions,
  url: string,
  watching: Watching,
): Promise<Page> {
  const context = await browser.newContext({ ...BROWSER, ...options })
  context.setDefaultTimeout(PAGE_TIMEOUT)
  await watch(context, url, watching)
  return await context.newPage()
}

/** Deletes stored data, but not the files that it has loaded. */
async function forgetStored(page: Page, origins: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.detach()
}

/** A replaced clock's own toString hides that it was replaced. */
const HAS_OWN_CLOCK = "Function.prototype.toString.call(Date).includes('[native code]')"

interface Watching extends Pick<ConsoleMintOptions, 'elsewhere'> {
  readonly problems: string[]
}

/** A window starts with an empty document, which has no storage. */
function signedIn(url: string, key: string): string {
  return `if (location.origin === '${url}') sessionStorage.setItem('mint-api-key', '${key}')`
}

/** Collects everything that a page of the console must not do. */
async function watch(context: BrowserContext, url: string, { problems, elsewhere }: Watching): Promise<void> {
  await context.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective, event.blockedURI))",
  )
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('request', (request) => {
    const target = request.url()
    if (elsewhere && request.isNavigationRequest() && target.startsWith(`${elsewhere()}/`)) return
    if (!target.startsWith(`${url}/`) && !/^(blob|data):/.test(target)) problems.push(`a request to ${target}`)
  })
  context.on('console', (message) => {
    const isRefusal =
      message.text().startsWith('Failed to load resource') && !message.location().url.includes('/console')
    // The browser logs it when the API refuses a request, which the console itself explains.
    if (message.type() === 'error' && !isRefusal) problems.push(message.text())
  })
}

/** Holds back a page's requests to an address until the returned function is called. */
export async function holdRequests(page: Page, address: string | RegExp): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await released.promise
    // The page may have cancelled the request meanwhile.
    await route.continue().catch(() => undefined)
  })
  return released.resolve
}
