/** Takes the screenshots in this folder: some pages of the console, of a Mint with the demo's data. */
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import UPNG from 'upng-js'
import { consoleAddresses } from '../../tests/support/console-addresses.ts'
import { chromiumProgram } from '../../tests/support/engines.ts'
import { CLIENT, startIdentityProvider } from '../../tests/support/identity-provider.ts'
import { type MintProcess, startMint } from '../../tests/support/mint-process.ts'
import { restClient } from '../../tests/support/rest.ts'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))

interface Variant {
  readonly options: BrowserContextOptions
  /** The paths of its pages, as in console/pages.ts. */
  readonly pages: readonly string[]
}

/** By the suffix of the files' names. */
const VARIANTS: Readonly<Record<string, Variant>> = {
  '': {
    options: { viewport: { width: 1200, height: 800 }, colorScheme: 'light' },
    pages: [
      ...['/overview', '/overview/clients', '/contracts', '/contracts/:id', '/contracts/new'],
      ...['/closing', '/import', '/keys/new', '/health'],
    ],
  },
  '-dark': { options: { viewport: { width: 1200, height: 800 }, colorScheme: 'dark' }, pages: ['/overview'] },
  '-narrow': { options: { viewport: { width: 320, height: 640 }, colorScheme: 'light' }, pages: ['/contracts/:id'] },
}

const BROWSER: BrowserContextOptions = { locale: 'en-US', timezoneId: 'America/Montreal', reducedMotion: 'reduce' }

const COLOURS = 128
const MAX_FILE_BYTES = 100_000

const program = chromiumProgram()
if (!('url' in program)) throw new Error(program.missing)
const dataFolder = mkdtempSync(join(tmpdir(), 'mint-screenshots-'))
const provider = await startIdentityProvider([])
const environment = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_SCOPES: 'groups:owners=all' }
const mint = await startMint({ dataFolder, environment, arguments: ['--demo'], patience: 120_000 })
const browser = await chromium.launch({ executablePath: program.url, args: ['--no-sandbox'] })
try {
  await addMissing(mint)
  for (const old of globSync('*.png', { cwd: FOLDER })) rmSync(join(FOLDER, old))
  await takeSignIn(browser, mint)
  for (const [suffix, variant] of Object.entries(VARIANTS)) await takeAll(suffix, variant, { browser, mint })
  report()
} finally {
  await browser.close()
  await mint.kill()
  await provider.stop()
  rmSync(dataFolder, { recursive: true })
}

/** Adds records that the demo lacks: keys, a webhook, a proposal. */
async function addMissing({ url, key }: MintProcess): Promise<void> {
  const call = restClient({ url, key })
  const createKey = async (name: string, scopes: readonly string[], expiresAt: string | null = null): Promise<string> =>
    (await call('POST', '/api-keys', { name, scopes, expiresAt })).body.id
  const former = await createKey('Spreadsheet (2025)', ['contracts:read'])
  await call('DELETE', `/api-keys/${former}`)
  await createKey('Web shop', ['contracts:write', 'clients:read'], new Date(Date.now() + 90 * 86_400_000).toISOString())
  await createKey('Bookkeeping', [
    'contracts:read',
    'contracts:write',
    'businesses:read',
    'clients:read',
    'closing:write',
  ])
  await call('POST', '/webhooks', { url: 'https://example.com/mint' })
  const { clientId } = (await call('GET', '/clients?limit=1')).body.clients[0]
  const fields = { clientId, serviceName: 'Annual accounts', serviceType: 'bookkeeping', serviceFee: 150 }
  await call('POST', '/proposals', { action: 'create', fields, reason: 'The year has ended.' })
}

async function takeSignIn(browser: Browser, { url }: MintProcess): Promise<void> {
  const page = await browser.newPage({ ...BROWSER, ...VARIANTS['']?.options })
  await page.goto(`${url}/console`)
  await page.getByRole('button', { name: 'Sign in with your organisation' }).waitFor()
  await take(page, 'sign-in')
  await page.close()
}

async function takeAll(
  suffix: string,
  { options, pages }: Variant,
  { browser, mint }: { readonly browser: Browser; readonly mint: MintProcess },
): Promise<void> {
  const context = await browser.newContext({ ...BROWSER, ...options })
  const page = await context.newPage()
  await page.goto(`${mint.url}/console`)
  await page.getByLabel('API key').fill(mint.key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('link', { name: 'Mint', exact: true }).waitFor()
  const addresses = await consoleAddresses(page, restClient(mint))
  for (const { path, hash } of addresses.filter(({ path }) => pages.includes(path))) {
    await page.goto(`${mint.url}/console${hash}`)
    await page.reload()
    await take(page, `${nameOf(path)}${suffix}`)
  }
  await context.close()
}

/** `/contracts/:id` → `contracts-id`. */
function nameOf(path: string): string {
  return path.slice(1).replaceAll('/', '-').replaceAll(':', '')
}

/** Takes a screenshot once the page has loaded everything. */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  writeFileSync(join(FOLDER, `${name}.png`), withFewColours(await page.screenshot({ caret: 'hide' })))
}

/** Reduces the colours, which makes the file a third of the size without a visible difference. */
function withFewColours(picture: Uint8Array<ArrayBuffer>): Uint8Array {
  const { buffer, byteOffset, byteLength } = picture
  const decoded = UPNG.decode(buffer.slice(byteOffset, byteOffset + byteLength))
  return new Uint8Array(UPNG.encode(UPNG.toRGBA8(decoded), decoded.width, decoded.height, COLOURS))
}

function report(): void {
  const sizes = globSync('*.png', { cwd: FOLDER }).map((name) => ({ name, size: statSync(join(FOLDER, name)).size }))
  console.log(`${sizes.length} pictures.`)
  const large = sizes.filter(({ size }) => size > MAX_FILE_BYTES).map(({ name, size }) => `${name}: ${size} bytes`)
  if (large.length > 0) throw new Error(`Some pictures are too large: ${large.join(', ')}`)
}
