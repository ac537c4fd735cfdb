import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { BUSINESSES_TOPIC } from '../../shared/runtime/settings/topic-names.ts'
import { consoleAddresses } from './console-addresses.ts'
import { type ConsoleUnderTest, describeConsole } from './console-browser.ts'
import { fillFolder } from './filled-folder.ts'
import { create, type Rest } from './rest.ts'

/** Markup, a right-to-left override and a very long word. */
const HOSTILE = `\u202e<img src=x onerror=alert(1)>${'W'.repeat(200)}`

const hostile = (length: number): string => HOSTILE.slice(0, length)

/** Registers a browser suite on a Mint where every page shows hostile texts. */
export function describeEveryPage(title: string, suite: (running: () => ConsoleUnderTest) => void): void {
  describeConsole(
    title,
    (running) => {
      before(() => fillWithHostileTexts(running().call))
      suite(running)
    },
    { prepare: setHostileAside },
  )
}

/** Visits each page in the console's table of pages, and waits until it has loaded. */
export async function visitAll(
  { open, mint, call }: ConsoleUnderTest,
  options: BrowserContextOptions,
  visit: (page: Page, path: string, number: number) => Promise<void>,
): Promise<void> {
  const page = await open('#/contracts', options)
  await shown(page)
  for (const [number, { path, hash }] of (await consoleAddresses(page, call)).entries()) {
    // Changing only the hash would not reload the page.
    await page.goto(`${mint.url}/console?${number}${hash}`)
    await shown(page)
    await visit(page, path, number)
  }
}

/** Waits until a page has fetched everything that it shows. */
export async function shown(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page
    .getByText(/^(Loading|Wird geladen|Chargement) ?…$/)
    .first()
    .waitFor({ state: 'detached' })
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
    url: `https://localhost/${hostile(200).replaceAll(' ', '/')}`,
    description: hostile(200),
  })
  assert.equal(status, 201)
  await createHostileKey(call)
}

export async function createHostileKey(call: Rest): Promise<void> {
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
