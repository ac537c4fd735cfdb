import assert from 'node:assert/strict'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { chromiumProgram, describeOn } from './engines.ts'
import { type MintOptions, type MintProcess, startMint } from './mint-process.ts'
import { type Rest, restClient } from './rest.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A Mint, and a browser for its console. */
export interface ConsoleUnderTest {
  readonly mint: MintProcess
  /** Calls the API beside the browser. */
  readonly call: Rest
  /** Opens the console in a window of its own, signed in unless told otherwise; `hash` names the page: `#/contracts`. */
  open(hash?: string, options?: OpenOptions): Promise<Page>
}

interface OpenOptions extends BrowserContextOptions {
  /** The key to be signed in with; undefined: nobody is signed in. Default: one with all scopes. */
  readonly key?: string | undefined
}

interface ConsoleMintOptions extends Omit<MintOptions, 'dataFolder'> {
  /** Puts something into the data before Mint starts. */
  readonly prepare?: (dataFolder: string) => Promise<void>
  /** The address of another host that the browser is sent to, and comes back from. */
  readonly elsewhere?: () => string
}

/** What a browser says about itself unless a test says otherwise, so that results don't depend on the machine. */
export const BROWSER = {
  locale: 'en-US',
  timezoneId: 'America/Montreal',
  reducedMotion: 'reduce',
} as const satisfies BrowserContextOptions

/** How long a page may take, in milliseconds: less than a test may, so that a failure says what it waited for. */
const PATIENCE = 8_000

/** One for all suites, whose windows share nothing: a start takes two seconds of processor time. */
let launched: Promise<Browser> | undefined
const browserOf = (program: string): Promise<Browser> =>
  (launched ??= chromium.launch({ executablePath: program, args: ['--no-sandbox'] }))
after(async () => (await launched)?.close())

/**
 * Registers a suite in Chromium, with a Mint of its own. A test also fails if a page breaks its Content-Security-Policy,
 * logs an error, or asks another host for anything.
 */
export function describeConsole(
  title: string,
  suite: (running: () => ConsoleUnderTest) => void,
  { prepare, elsewhere, ...mintOptions }: ConsoleMintOptions = {},
): void {
  describeOn(chromiumProgram(), title, (program) => {
    const folder = temporaryFolder()
    const contexts: BrowserContext[] = []
    const problems: string[] = []
    let browser: Browser | undefined
    let mint: MintProcess | undefined

    before(async function () {
      this.timeout(60_000)
      await prepare?.(folder.path)
      mint = await startMint({ dataFolder: folder.path, ...mintOptions })
      browser = await browserOf(program)
    })
    afterEach(async () => {
      for (const context of contexts.splice(0)) await context.close()
      assert.deepEqual(problems.splice(0), [], 'what the browser reported')
    })
    after(async () => {
      await mint?.kill()
      folder.remove()
    })

    suite(() => {
      if (!mint || !browser) throw new Error('the browser runs only while tests do')
      return underTest(mint, browser, (context) => contexts.push(context), { problems, elsewhere })
    })
  })
}

function underTest(
  mint: MintProcess,
  browser: Browser,
  opened: (context: BrowserContext) => void,
  watching: Watching,
): ConsoleUnderTest {
  return {
    mint,
    call: restClient({ url: mint.url, key: mint.key }),
    async open(hash = '', options = {}) {
      const { key, ...contextOptions } = { key: mint.key, ...options }
      const context = await browser.newContext({ ...BROWSER, ...contextOptions })
      opened(context)
      context.setDefaultTimeout(PATIENCE)
      await watch(context, mint.url, watching)
      if (key !== undefined) await context.addInitScript(signedIn(mint.url, key))
      const page = await context.newPage()
      await page.goto(`${mint.url}/console${hash}`)
      return page
    },
  }
}

interface Watching extends Pick<ConsoleMintOptions, 'elsewhere'> {
  readonly problems: string[]
}

/** A window begins with an empty document, which has no storage. */
function signedIn(url: string, key: string): string {
  return `if (location.origin === '${url}') sessionStorage.setItem('mint-api-key', '${key}')`
}

/** Collects everything that a page of the console never does. */
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
    // A refusal of the API is the console's to explain.
    if (message.type() === 'error' && !isRefusal) problems.push(message.text())
  })
}

/** Holds back a page's requests to an address until the returned function is called. */
export async function holdRequests(page: Page, address: string | RegExp): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await released.promise
    // The page may have given the request up meanwhile.
    await route.continue().catch(() => undefined)
  })
  return released.resolve
}
