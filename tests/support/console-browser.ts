import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { reported, type Windows, windowsFor } from './console-windows.ts'
import { chromiumProgram, describeOn } from './engines.ts'
import { freePort } from './free-port.ts'
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

/** The same for the Mint of every suite, so that files which the browser has loaded are those of the next suite, too. */
let port: Promise<number> | undefined

/**
 * Registers a suite in Chromium with its own Mint. A test also fails if a page violates its Content-Security-Policy,
 * logs an error, or sends a request to another host.
 */
export function describeConsole(
  title: string,
  suite: (running: () => ConsoleUnderTest) => void,
  { prepare, elsewhere, environment, ...mintOptions }: ConsoleMintOptions = {},
): void {
  describeOn(chromiumProgram(), title, (program) => {
    const folder = temporaryFolder()
    let mint: MintProcess | undefined
    let windows: Windows | undefined

    before(async () => {
      await prepare?.(folder.path)
      port ??= freePort()
      const fixed = { PORT: `${await port}`, ...environment }
      mint = await startMint({ dataFolder: folder.path, environment: fixed, ...mintOptions })
      windows = await windowsFor(program, mint.url, elsewhere?.())
    })
    afterEach(async function () {
      await windows?.giveBack({ areKept: this.currentTest?.state === 'passed' })
      assert.deepEqual(reported.splice(0), [], 'what the browser reported')
    })
    after(async () => {
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
