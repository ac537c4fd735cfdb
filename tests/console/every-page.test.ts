import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { BUSINESSES_TOPIC } from '../../shared/runtime/settings/topic-names.ts'
import { consoleAddresses } from '../support/console-addresses.ts'
import { describeConsole } from '../support/console-browser.ts'
import { fillFolder } from '../support/filled-folder.ts'
import { create, type Rest } from '../support/rest.ts'

/** Markup, a mark that reverses the direction of everything after it, and a word without end. */
const HOSTILE = `\u202e<img src=x onerror=alert(1)>${'W'.repeat(200)}`

/** A client that need not exist. */
const NOBODY = '11111111-1111-1111-1111-111111111111'

const hostile = (length: number): string => HOSTILE.slice(0, length)

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  'in light colours': { colorScheme: 'light' },
  'in dark colours': { colorScheme: 'dark' },
  '320 pixels wide': { viewport: { width: 320, height: 640 } },
}

/** What a browser makes of 1,280 pixels at 200 %. */
const ZOOMED: BrowserContextOptions = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }

/** The other languages, which have longer words, and pages at 200 %. */
const OTHER_LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  'in German, in dark colours': { locale: 'de-DE', colorScheme: 'dark' },
  'in German, 320 pixels wide': { locale: 'de-DE', viewport: { width: 320, height: 640 } },
  'at 200 %': ZOOMED,
  'in German, at 200 %': { locale: 'de-DE', ...ZOOMED },
  'in French, in dark colours, at 200 %': { locale: 'fr-FR', colorScheme: 'dark', ...ZOOMED },
  'in French': { locale: 'fr-FR' },
  'in French, in dark colours, 320 pixels wide': {
    locale: 'fr-CA',
    colorScheme: 'dark',
    viewport: { width: 320, height: 640 },
  },
}

describeConsole(
  'Every page of the console',
  (running) => {
    before(() => fillWithHostileTexts(running().call))

    /** Visits each page in the console's table of pages, and waits until it has loaded. */
    async function visitAll(
      options: BrowserContextOptions,
      visit: (page: Page, path: string) => Promise<void>,
    ): Promise<void> {
      const { open, mint, call } = running()
      const page = await open('#/contracts', options)
      await shown(page)
      for (const [visited, { path, hash }] of (await consoleAddresses(page, call)).entries()) {
        // An address with another hash alone would not load the page again.
        await page.goto(`${mint.url}/console?${visited}${hash}`)
        await shown(page)
        await visit(page, path)
      }
    }

    for (const [look, options] of Object.entries({ ...LOOKS, ...OTHER_LOOKS })) {
      it(`passes axe’s rules for WCAG 2.2 AA, ${look}`, async () => {
        const found: string[] = []
        await visitAll(options, async (page, path) => {
          found.push(...(await axeFinds(page, path)))
        })
        assert.deepEqual(found, [])
      }).timeout(180_000)
    }

    for (const [look, options] of Object.entries(LOOKS)) {
      it(`passes axe’s rules in other states, ${look}: signing in, refusals, problems, a new key, questions`, async () => {
        const { open, call } = running()
        const found: string[] = []
        const check = async (page: Page, state: string) => found.push(...(await axeFinds(page, state)))
        const click = async (page: Page, name: string) => await page.getByRole('button', { name, exact: true }).click()

        const stranger = await open('', { ...options, key: undefined })
        await click(stranger, 'Sign in')
        await stranger.getByText('Enter an API key.').waitFor()
        await check(stranger, 'signing in')

        const { key } = (await call('POST', '/api-keys', { name: 'Reader', scopes: ['closing:write'] })).body
        for (const hash of ['#/contracts', '#/nowhere', '#/health?asOf=2026-03-31']) {
          const page = await open(hash, { ...options, key })
          await shown(page)
          await check(page, `${hash} without its scope`)
        }

        const page = await open('#/contracts/new', options)
        await click(page, 'Create contract')
        await page.getByRole('alert').waitFor()
        await check(page, 'a form with problems')
        await page.goto(page.url().replace('contracts', 'keys'))
        await click(page, 'Create key')
        await page.getByText('Choose at least one scope.').waitFor()
        await check(page, 'a new key with problems')
        await page.getByLabel('Name').fill('Axe')
        await page.getByLabel('clients:read').check()
        await click(page, 'Create key')
        await page.getByRole('heading', { name: 'Copy the new key' }).waitFor()
        await check(page, 'a new key')

        const files = await open('#/import?kind=contracts', options)
        const buffer = Buffer.from('Service fee;Service date\n1.000;01/02/2026\n2.500;01/02/2026\n')
        await files.setInputFiles('#file', { name: 'some.csv', mimeType: 'text/csv', buffer })
        await files.getByRole('group', { name: 'How Service date is read' }).waitFor()
        await check(files, 'an import with questions')
        const imported = `clientId,serviceName,serviceType,serviceFee\n${NOBODY},${look},wrong,-1\n`
        await files.setInputFiles('#file', { name: 'wrong.csv', mimeType: 'text/csv', buffer: Buffer.from(imported) })
        await click(files, 'Check the file')
        await click(files, 'Import one row')
        await click(files, 'Show its contracts')
        await files.getByLabel('What to do with all of them').selectOption('Change: Service fee')
        await click(files, 'Change one contract')
        await files.getByText('Enter the new value.').waitFor()
        await check(files, 'an import to be corrected')
        assert.deepEqual(found, [])
      }).timeout(60_000)

      it(`passes axe’s rules where an import asks about taxes and missing clients, ${look}`, async () => {
        const page = await running().open('#/import?kind=contracts', options)
        const buffer = Buffer.from('Client,Service name,Service type,Fee,Tax\nNobody,Payroll,payroll,1,0.19\n')
        await page.setInputFiles('#file', { name: 'other.csv', mimeType: 'text/csv', buffer })
        await page.getByLabel('as shares of 1').check()
        await page.getByRole('button', { name: 'Check the file' }).click()
        await page.getByRole('button', { name: 'Create this client' }).waitFor()
        assert.deepEqual(await axeFinds(page, 'an import with questions'), [])
      }).timeout(60_000)
    }

    it('shows hostile texts verbatim, isolates their direction, and fits them into 320 pixels', async () => {
      // The pages of keys show the newest one.
      await createHostileKey(running().call)
      const found: string[] = []
      let showing = 0
      await visitAll({ viewport: { width: 320, height: 640 } }, async (page, path) => {
        const { made, mixed, wide, isShown } = (await page.evaluate(INSPECT)) as Inspection
        if (isShown) showing++
        if (made > 0) found.push(`${path}: a text became an element`)
        found.push(...wide.map((element) => `${path}: wider than 320 pixels: ${element}`))
        found.push(...mixed.map((text) => `${path}: beside a hostile text, in its direction: ${text}`))
      })
      assert.deepEqual(found, [])
      assert.ok(showing >= 12, `${showing} pages showed one`)
    }).timeout(120_000)

    it('lets the tab key reach each of its controls, and shows where the focus is', async () => {
      const found: string[] = []
      await visitAll({}, async (page, path) => {
        const count = (await page.evaluate(NUMBER_CONTROLS)) as number
        const missed = new Set(Array.from({ length: count }, (_, number) => String(number)))
        for (let presses = 0; presses < 10 * count && missed.size > 0; presses++) {
          await page.keyboard.press('Tab')
          const { number, isVisible } = (await page.evaluate(FOCUSED)) as { number: string; isVisible: boolean }
          if (!isVisible) found.push(`${path}: the focus is not to be seen on ${await named(page, number)}`)
          missed.delete(number)
        }
        for (const number of missed) found.push(`${path}: no tab leads to ${await named(page, number)}`)
      })
      assert.deepEqual(found, [])
    }).timeout(180_000)

    it('stores the key only in the tab’s session storage, and only until the user signs out', async () => {
      const { open, mint, call } = running()
      const page = await open('', { key: undefined })
      await page.getByLabel('API key').fill(mint.key)
      await page.keyboard.press('Enter')
      await shown(page)
      for (const { path, hash } of await consoleAddresses(page, call)) {
        await page.evaluate(`location.hash = '${hash}'`)
        await shown(page)
        assert.ok(!page.url().includes('mint_'), path)
        assert.ok(!(await page.content()).includes(mint.key), path)
      }
      const places = async () => await page.evaluate(STORED)
      const stored = JSON.stringify({ 'mint-api-key': mint.key })
      assert.deepEqual(await places(), { stored, local: 0, cookie: '', databases: 0, caches: 0 })
      assert.deepEqual(await page.context().cookies(), [])
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByLabel('API key').waitFor()
      assert.deepEqual(await places(), { stored: '{}', local: 0, cookie: '', databases: 0, caches: 0 })
      await page.goBack()
      await page.getByLabel('API key').waitFor()
    }).timeout(60_000)

    it('works with the keyboard alone, from signing in to creating a key', async () => {
      const { open, mint, call } = running()
      const page = await open('', { key: undefined })
      const press = async (key: string) => await page.keyboard.press(key)
      const tabTo = async (name: string) => {
        for (let presses = 0; presses < 300; presses++) {
          await press('Tab')
          if ((await page.evaluate(FOCUSED_NAME)) === name) return
        }
        assert.fail(`no tab leads to ${name}`)
      }
      const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
      await heading('Sign in to Mint')
      await tabTo('API key')
      await page.keyboard.type(mint.key)
      await press('Enter')
      await tabTo('Keys')
      await press('Enter')
      await heading('Keys')
      await tabTo('New key')
      await press('Enter')
      await heading('New key')
      await tabTo('Name')
      await page.keyboard.type('Typed')
      await tabTo('clients:read')
      await press('Space')
      await tabTo('Create key')
      await press('Enter')
      await heading('Copy the new key')
      const { name, scopes } = (await call('GET', '/api-keys')).body.apiKeys[0]
      assert.deepEqual([name, scopes], ['Typed', ['clients:read']])
    })
  },
  { prepare: setHostileAside },
)

/** Waits until a page has fetched everything that it shows. */
async function shown(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page
    .getByText(/^(Loading|Wird geladen|Chargement) ?…$/)
    .first()
    .waitFor({ state: 'detached' })
}

/** What breaks a rule of WCAG 2.2 AA on a page. */
async function axeFinds(page: Page, state: string): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(RUN_AXE)) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${state}: ${id}: ${html}`))
}

async function fillWithHostileTexts(call: Rest): Promise<void> {
  const { clientId, id } = await create(call, '/businesses', {
    legalName: hostile(200),
    operatedAs: hostile(200),
    businessNumber: hostile(50),
    taxId: hostile(50),
    phone: hostile(50),
    email: 'a@example.com',
  })
  const contract = { clientId, serviceName: hostile(200), serviceType: hostile(100), notes: hostile(200) }
  await call('PUT', '/closing', { closedThrough: '2020-12-31', reason: hostile(200) })
  const overriding = { 'closing-override': encodeURIComponent(hostile(200)) }
  await create(call, '/contracts', { ...contract, serviceFee: 1, serviceDate: '2020-12-31' }, overriding)
  // The exact total has more digits than are shown.
  const made = await create(call, '/contracts', { ...contract, serviceFee: 19.99, taxPercent: 8.25 })
  await call('PATCH', `/contracts/${made.id}`, { notes: hostile(150) })
  await call('PATCH', `/businesses/${id}`, { phone: hostile(45) })
  const firm = {
    name: hostile(200),
    address: `${hostile(200)}\n${hostile(200)}`,
    phone: hostile(50),
    taxId: hostile(50),
  }
  await call('PATCH', '/firm', firm)
  await call('PATCH', '/firm', { ...firm, currency: 'CLF', phone: hostile(45) })
  const proposed = { ...contract, serviceFee: 19.99, taxPercent: 8.25, serviceDate: '2020-12-30' }
  await create(call, '/proposals', { action: 'create', fields: proposed, reason: hostile(200) })
  const { status } = await call('POST', '/webhooks', {
    url: `https://localhost/${hostile(200)}`,
    description: hostile(200),
  })
  assert.equal(status, 201)
  await createHostileKey(call)
}

async function createHostileKey(call: Rest): Promise<void> {
  assert.equal((await call('POST', '/api-keys', { name: hostile(100), scopes: ['clients:read'] })).status, 201)
}

async function setHostileAside(folder: string): Promise<void> {
  await fillFolder(folder, { contracts: 1, businesses: 1 })
  const database = await openSqliteDatabase({ file: join(folder, 'contracts.db'), views: [] })
  const headers = { ce_specversion: '1.0', ce_id: HOSTILE, ce_source: HOSTILE, ce_type: HOSTILE, ce_time: '' }
  const message = { key: HOSTILE, headers, value: HOSTILE }
  await database.deadLetters.add({ topic: BUSINESSES_TOPIC, message, reason: HOSTILE, at: Date.UTC(2026, 0, 31) })
  await database.close()
}

const RUN_AXE = `axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
})`

interface Inspection {
  /** How many elements only an unescaped text can have created. */
  readonly made: number
  /** Other text in the same run as one that reverses its direction. */
  readonly mixed: readonly string[]
  /** What makes the page wider than the window. */
  readonly wide: readonly string[]
  readonly isShown: boolean
}

const INSPECT = `(() => {
  const root = document.getElementById('console')
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const mixed = []
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode
    if (!data.includes('\\u202e') || !parentElement.checkVisibility()) continue
    let isolate = parentElement
    while (!/isolate|plaintext/.test(getComputedStyle(isolate).unicodeBidi)) isolate = isolate.parentElement
    if (isolate.textContent.trim() !== data.trim()) mixed.push(isolate.outerHTML.slice(0, 300))
  }
  const inputs = [...root.querySelectorAll('input, textarea')]
  return {
    made: root.querySelectorAll('img, script').length,
    mixed,
    wide: document.documentElement.scrollWidth <= innerWidth ? [] : [...root.querySelectorAll('*')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.outerHTML.slice(0, 200)),
    isShown: root.innerText.includes('<img src=x') || inputs.some(({ value }) => value.includes('<img src=x')),
  }
})()`

/** The tab key reaches only one of the radio buttons with the same name. */
/** A link may be skipped beside another one to the same address. */
const NUMBER_CONTROLS = `(() => {
  const all = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]'
  const isRepeated = ({ tabIndex, href }) =>
    tabIndex < 0 && [...document.querySelectorAll('a[href]')].some((other) => other.tabIndex === 0 && other.href === href)
  const isControl = (one) => one.checkVisibility() && !(one.type === 'radio' && !one.checked) && !isRepeated(one)
  const controls = [...document.querySelectorAll(all)].filter(isControl)
  controls.forEach((one, number) => { one.dataset.number = number })
  return controls.length
})()`

const FOCUSED = `(() => {
  const { dataset: { number = '' }, tagName } = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
  return { number, isVisible: tagName === 'BODY' || (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) }
})()`

const named = async (page: Page, number: string): Promise<string> =>
  (await page.evaluate(`document.querySelector('[data-number="${number}"]')?.outerHTML.slice(0, 300)`)) as string

const FOCUSED_NAME = `(document.activeElement.labels?.[0] ?? document.activeElement).innerText.trim()`

const STORED = `(async () => ({
  stored: JSON.stringify({ ...sessionStorage }),
  local: localStorage.length,
  cookie: document.cookie,
  databases: (await indexedDB.databases()).length,
  caches: (await caches.keys()).length,
}))()`
