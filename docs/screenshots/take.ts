/** Takes the pictures in this folder: every page of the console, from a Mint with the demo's data. */
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import UPNG from 'upng-js'
import { consoleAddresses } from '../../tests/support/console-addresses.ts'
import { chromiumProgram } from '../../tests/support/engines.ts'
import { type MintProcess, startMint } from '../../tests/support/mint-process.ts'
import { restClient } from '../../tests/support/rest.ts'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))

/** How each page is shown, by what is added to its picture's name. */
const VARIANTS: Readonly<Record<string, BrowserContextOptions>> = {
  '': { viewport: { width: 1200, height: 800 }, colorScheme: 'light' },
  '-dark': { viewport: { width: 1200, height: 800 }, colorScheme: 'dark' },
  '-narrow': { viewport: { width: 320, height: 640 }, colorScheme: 'light' },
}

const BROWSER: BrowserContextOptions = { locale: 'en-US', timezoneId: 'America/Montreal', reducedMotion: 'reduce' }

const COLOURS = 128

/** In bytes, of one picture and of all. */
const [LARGEST, LARGEST_SUM] = [100_000, 3_000_000]

const program = chromiumProgram()
if (!('url' in program)) throw new Error(program.missing)
const dataFolder = mkdtempSync(join(tmpdir(), 'mint-screenshots-'))
const mint = await startMint({ dataFolder, arguments: ['--demo'], patience: 120_000 })
const browser = await chromium.launch({ executablePath: program.url, args: ['--no-sandbox'] })
try {
  await addKeys(mint)
  for (const old of globSync('*.png', { cwd: FOLDER })) rmSync(join(FOLDER, old))
  for (const [suffix, options] of Object.entries(VARIANTS)) await takeAll(suffix, options, { browser, mint })
  report()
} finally {
  await browser.close()
  await mint.kill()
  rmSync(dataFolder, { recursive: true })
}

/** What the demo lacks. */
async function addKeys({ url, key }: MintProcess): Promise<void> {
  const call = restClient({ url, key })
  const make = async (name: string, scopes: readonly string[], expiresAt: string | null = null): Promise<string> =>
    (await call('POST', '/api-keys', { name, scopes, expiresAt })).body.id
  const former = await make('Spreadsheet (2025)', ['contracts:read'])
  await call('DELETE', `/api-keys/${former}`)
  await make('Web shop', ['contracts:write', 'clients:read'], new Date(Date.now() + 90 * 86_400_000).toISOString())
  await make('Bookkeeping', ['contracts:read', 'contracts:write', 'businesses:read', 'clients:read', 'closing:write'])
}

async function takeAll(
  suffix: string,
  options: BrowserContextOptions,
  { browser, mint }: { readonly browser: Browser; readonly mint: MintProcess },
): Promise<void> {
  const context = await browser.newContext({ ...BROWSER, ...options })
  const page = await context.newPage()
  await page.goto(`${mint.url}/console`)
  await take(page, `sign-in${suffix}`)
  await page.getByLabel('API key').fill(mint.key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  for (const { path, hash } of await consoleAddresses(page, restClient(mint))) {
    await page.goto(`${mint.url}/console${hash}`)
    await page.reload()
    await take(page, `${nameOf(path)}${suffix}`)
  }
  await context.close()
}

/** `/contracts/:id/edit` → `contracts-id-edit`. */
function nameOf(path: string): string {
  return path === '/' ? 'overview' : path.slice(1).replaceAll('/', '-').replaceAll(':', '')
}

/** Takes a picture once everything that the page fetches has arrived. */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  writeFileSync(join(FOLDER, `${name}.png`), withFewColours(await page.screenshot({ caret: 'hide' })))
}

/** A third of the size, and no eye sees it. */
function withFewColours(picture: Uint8Array<ArrayBuffer>): Uint8Array {
  const { buffer, byteOffset, byteLength } = picture
  const decoded = UPNG.decode(buffer.slice(byteOffset, byteOffset + byteLength))
  return new Uint8Array(UPNG.encode(UPNG.toRGBA8(decoded), decoded.width, decoded.height, COLOURS))
}

function report(): void {
  const sizes = globSync('*.png', { cwd: FOLDER }).map((name) => ({ name, size: statSync(join(FOLDER, name)).size }))
  const sum = sizes.reduce((sum, { size }) => sum + size, 0)
  console.log(`${sizes.length} pictures, ${Math.round(sum / 1_000)} kB.`)
  const large = sizes.filter(({ size }) => size > LARGEST).map(({ name, size }) => `${name}: ${size} bytes`)
  if (large.length > 0 || sum > LARGEST_SUM) throw new Error(`The pictures are too large. ${large.join(', ')}`)
}
