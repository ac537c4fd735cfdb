import { chromium, type Page } from 'playwright-core'
import { chromiumProgram } from '../../tests/support/engines.ts'
import { startFilled } from '../filled-mint.ts'
import { median } from '../measure/rounds.ts'
import { type Check, type Row, type SectionResult, timesRow } from '../result.ts'
import { type Bench, LeftOut } from '../section.ts'

const CONTRACTS = 1_000_000
const EDITS = 300_000
/** How often each page is opened. */
const TIMES = 9
/** The target for lists, in milliseconds. */
const LIST_AT_MOST = 300

/** A page to open, and what shows that it is loaded. */
interface View {
  readonly what: string
  readonly hash: (time: number) => string
  readonly shows: string
  readonly atMost?: number
}

const VIEWS: readonly View[] = [
  { what: 'the list of contracts', hash: () => '#/contracts', shows: 'td', atMost: LIST_AT_MOST },
  {
    what: 'its page in the middle',
    hash: (time) => `#/contracts?offset=${CONTRACTS / 2 + time * 50}`,
    shows: 'td',
    atMost: LIST_AT_MOST,
  },
  { what: 'its last page', hash: () => `#/contracts?offset=${CONTRACTS - 50}`, shows: 'td', atMost: LIST_AT_MOST },
  {
    what: 'a search that finds some hundreds',
    hash: (time) => `#/contracts?search=audit+${time + 1}234`,
    shows: 'td',
    atMost: LIST_AT_MOST,
  },
  { what: 'a record with its history', hash: (time) => `#/contracts/${1 + time * 7_919}`, shows: '.timeline li' },
  { what: 'the overview', hash: () => '#/', shows: 'main svg' },
]

/** How long the console takes to show a million contracts, in Chromium, after sign-in. */
export async function measureConsole({ onEnd }: Bench): Promise<SectionResult> {
  const program = chromiumProgram()
  if (!('url' in program)) throw new LeftOut(program.missing)
  const mint = onEnd(await startFilled(CONTRACTS, { edits: EDITS }))
  const browser = await chromium.launch({ executablePath: program.url, args: ['--no-sandbox'] })
  onEnd({ stop: () => browser.close() })
  const page = await browser.newPage()
  await page.goto(`${mint.url}/console`)
  await page.getByLabel('API key').fill(mint.key)
  const begun = performance.now()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('nav').waitFor()
  const rows: Row[] = [{ what: 'from sign-in to the first page', value: performance.now() - begun, unit: 'ms' }]
  const checks: Check[] = []
  for (const { what, hash, shows, atMost } of VIEWS) {
    const times = []
    for (let time = 0; time < TIMES; time++) times.push(await open(page, hash(time), shows))
    rows.push(timesRow(what, times))
    if (atMost !== undefined) checks.push({ what, value: median(times), unit: 'ms', atMost })
  }
  return { title: 'The console with 1,000,000 contracts and 300,000 edits, in Chromium, after sign-in', rows, checks }
}

/** Milliseconds from following a link until its page is loaded. */
async function open(page: Page, hash: string, shows: string): Promise<number> {
  // Leaves the current page first, so that the link changes the page.
  await page.evaluate("location.hash = '#/keys/new'")
  await page.getByRole('heading', { name: 'New key' }).waitFor()
  const begun = performance.now()
  await page.evaluate(`location.hash = '${hash}'`)
  await page.locator(shows).first().waitFor()
  return performance.now() - begun
}
