import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { createClients } from '../support/clients.ts'
import { describeConsole, holdRequests } from '../support/console-browser.ts'
import { nextFrame, range, save } from '../support/console-pages.ts'
import { importContracts } from '../support/rest.ts'

const LONG_NAME = `Lang${'e'.repeat(290)}`

const TYPE_AND_LEAVE = `
  const search = document.getElementById('search')
  search.value = 'payroll'
  search.dispatchEvent(new Event('input'))
  location.hash = '#/businesses'`

const TYPE_IN_TWO_FIELDS = `
  for (const [id, text] of [['search', 'service 11'], ['filter-serviceType', 'payroll']]) {
    const field = document.getElementById(id)
    field.value = text
    field.dispatchEvent(new Event('input'))
  }`

/** How many lines of cells the rows of a table have, each number once. */
const LINES_OF_ROWS = `[...new Set([...document.querySelectorAll('main tbody tr')].map((row) => new Set(
  [...row.children].filter((cell) => cell.checkVisibility()).map((cell) => cell.getBoundingClientRect().top)).size))]`

describeConsole('Lists in the console', (running) => {
  const rows = (page: Page) => page.getByRole('table').getByRole('row')
  const namesIn = async (page: Page) =>
    await page.getByRole('table').locator('td[data-label="Service name"]').allTextContents()

  before(async () => {
    const { call } = running()
    const clientIds = await createClients(call, 'École Montréal', 'Garage Roy', LONG_NAME)
    const row = (index: number) =>
      [clientIds[index % 3], `Service ${index}`, index % 2 === 0 ? 'payroll' : 'tax-filing', index, 13].join()
    const rows = Array.from({ length: 120 }, (_, index) => row(index))
    await importContracts(call, ['clientId,serviceName,serviceType,serviceFee,taxPercent', ...rows])
  })

  it('say what is wrong with an address that the API refuses', async () => {
    const page = await running().open('#/contracts?serviceDateFrom=2026-13-01')
    await page
      .getByRole('alert')
      .getByText(/^Service date from: .*YYYY-MM-DD/)
      .waitFor()
    await page.goto(page.url().replace(/#.*/, '#/contracts/7x'))
    await page
      .getByRole('alert')
      .getByText(/^ID: ./)
      .waitFor()
  })

  it('are printed with the search and the filters that apply', async () => {
    const page = await running().open('#/contracts?serviceType=payroll')
    await page.emulateMedia({ media: 'print' })
    await range(page, '1–50 of 60')
    assert.ok(await page.getByLabel('Service type').isVisible())
    assert.ok(!(await page.getByLabel('Search').isVisible()))
    await page.goto(page.url().replace(/#.*/, '#/contracts?search=service'))
    await range(page, '1–50 of 120')
    assert.ok(await page.getByLabel('Search').isVisible())
  })

  it('give each page an address, and show the total', async () => {
    const page = await running().open('#/contracts')
    await range(page, '1–50 of 120')
    assert.equal(await rows(page).count(), 51)
    await page.getByRole('link', { name: 'Last' }).press('Enter')
    await range(page, '101–120 of 120')
    await nextFrame(page)
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Last')
    assert.deepEqual(await page.getByRole('link', { disabled: true }).allTextContents(), ['Next', 'Last'])
    await page.goBack()
    await range(page, '1–50 of 120')
    await page.goForward()
    await page.reload()
    await range(page, '101–120 of 120')
    assert.match(page.url(), /#\/contracts\?offset=100$/)
    assert.deepEqual((await namesIn(page)).at(-1), 'Service 0')
  })

  it('have 25, 50 or 100 rows a page, as set in the address, newest first', async () => {
    const page = await running().open('#/contracts?offset=50')
    await range(page, '51–100 of 120. Newest first.')
    await page.getByLabel('Rows on a page').selectOption('25')
    await range(page, '1–25 of 120')
    await page.getByRole('link', { name: 'Next' }).click()
    await range(page, '26–50 of 120')
    assert.match(page.url(), /rows=25/)
    await page.reload()
    await range(page, '26–50 of 120')
    assert.equal(await page.getByLabel('Rows on a page').inputValue(), '25')
    await page.getByLabel('Rows on a page').selectOption('100')
    await range(page, '1–100 of 120')
    assert.equal(await rows(page).count(), 101)
  })

  it('show the total of the filtered contracts, with a link to its lines', async () => {
    const { call, open } = running()
    const page = await open('#/contracts?serviceType=payroll')
    const sum = (await call('GET', '/reports/contracts?serviceType=payroll')).body.sums.billed
    const shown = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 }).format(sum)
    await range(page, `1–50 of 60. Newest first. Total with tax: ${shown}`)
    await page.getByRole('link', { name: shown }).click()
    await range(page, '1–50 of 60, by service date. All time')
    await page.getByRole('row', { name: 'All lines' }).getByText(shown).waitFor()
  })

  it('show no total if no report supports the same filters', async () => {
    const page = await running().open('#/contracts')
    const sum = page.getByText('Total with tax:')
    await sum.waitFor()
    const report = page.waitForResponse(/\/reports\/contracts\?/)
    await page.evaluate("location.hash = '#/contracts?serviceType=PAYROLL'")
    await range(page, '1–50 of 60')
    await (await report).finished()
    await nextFrame(page)
    assert.equal(await sum.count(), 0)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.evaluate("location.hash = '#/contracts?search=service'")
    await range(page, '1–50 of 120')
    assert.equal(await sum.count(), 0)
    await page.evaluate("location.hash = '#/contracts?serviceType=payroll'")
    await sum.waitFor()
    assert.equal(asked.filter((path) => path === '/reports/contracts').length, 1)
  })

  it('search while the user types, and show the last search even if answers arrive out of order', async () => {
    const page = await running().open('#/contracts')
    await range(page, '1–50 of 120')
    const release = await holdRequests(page, '**/contracts?search=SERVICE+1&*')
    const search = page.getByLabel('Search')
    await search.fill('SERVICE 1')
    await page.waitForRequest(/search=SERVICE\+1&/)
    await search.fill('service 11')
    await range(page, '1–11 of 11')
    release()
    await page.unrouteAll({ behavior: 'wait' })
    await range(page, '1–11 of 11')
    assert.equal(await search.inputValue(), 'service 11')
    assert.equal(await page.getByRole('status').textContent(), '1–11 of 11')
    await page.reload()
    await range(page, '1–11 of 11')
    assert.equal(await search.inputValue(), 'service 11')
  })

  it('don’t reappear when the user navigates away while typing', async () => {
    const page = await running().open('#/contracts')
    await range(page, '1–50 of 120')
    await page.clock.install()
    // In one step, because on a slow machine a click may take longer than the list waits for more input.
    await page.evaluate(TYPE_AND_LEAVE)
    await range(page, '1–3 of 3')
    await page.clock.runFor(1_000)
    assert.match(page.url(), /#\/businesses$/)
  })

  it('combine filters on any API parameter, and on a client chosen by name', async () => {
    const page = await running().open('#/contracts')
    await page.getByText('More filters').click()
    await page.getByLabel('Service type').fill('payroll')
    await range(page, '1–50 of 60')
    const client = page.getByRole('combobox', { name: 'Client' })
    await client.pressSequentially('école')
    await page.getByRole('option', { name: 'École Montréal' }).waitFor()
    await client.press('ArrowDown')
    await client.press('Enter')
    await range(page, '1–20 of 20')
    assert.equal(await client.inputValue(), 'École Montréal')
    await page.getByLabel('Service date to').fill('2020-01-01')
    await page.getByText('No matches').first().waitFor()
    await page.goto(page.url().replace(/&serviceDateTo=[^&]*/, ''))
    await range(page, '1–20 of 20')
  })

  it('offer the contracts of all clients with that name', async () => {
    const page = await running().open('#/contracts')
    await page.getByLabel('Search').fill('l')
    const all = page.getByRole('link', { name: 'Find contracts of clients with “l” in their name' })
    await all.click()
    await all.waitFor({ state: 'detached' })
    await range(page, '1–50 of 80')
    await page.getByLabel('Client’s name contains').fill('nobody')
    await page.getByText('No matches').first().waitFor()
    assert.equal(await page.getByText('Find contracts of clients').count(), 0)
  })

  it('fetch the client names for a page of contracts in one request', async () => {
    const page = await running().open('#/clients')
    await range(page, '1–3 of 3')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.getByRole('link', { name: 'Contracts' }).click()
    // The list of clients has a link of the same name.
    await range(page, '1–50 of 120')
    await page.getByRole('table').getByRole('link', { name: 'Garage Roy' }).first().waitFor()
    assert.equal(asked.filter((url) => url.includes('/clients/names')).length, 1)
  })

  it('save what they show as CSV', async () => {
    const page = await running().open('#/contracts?search=service+11')
    await range(page, '1–11 of 11')
    const download = await save(page, 'Save as CSV')
    assert.equal(download.suggestedFilename(), 'contracts.csv')
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    assert.equal(lines.length, 12)
    assert.match(lines[0] ?? '', /^\ufeff?id,clientId,client,/)
  })

  it('fit on a screen of 320 pixels, however long the names are, contracts in two lines each', async () => {
    for (const hash of ['#/contracts', '#/businesses', '#/clients']) {
      const page = await running().open(hash, { viewport: { width: 320, height: 640 } })
      await rows(page).nth(1).waitFor()
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, hash)
      if (hash === '#/contracts') assert.deepEqual(await page.evaluate(LINES_OF_ROWS), [2])
    }
  })

  it('say why a list can’t be shown, and offer to try again', async () => {
    const page = await running().open('#/contracts')
    await rows(page).nth(1).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Clients' }).click()
    await page.getByText('Mint can’t be reached').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await rows(page).nth(1).waitFor()
  })

  it('keep what is typed into two fields in quick succession, and a date while it is typed digit by digit, including the year', async () => {
    const page = await running().open('#/contracts')
    await range(page, '1–50 of 120')
    await page.getByText('More filters').click()
    await page.evaluate(TYPE_IN_TWO_FIELDS)
    await range(page, '1–5 of 5')
    assert.match(page.url(), /search=service\+11&serviceType=payroll|serviceType=payroll&search=service\+11/)
    await page.getByLabel('Changed since').focus()
    await page.keyboard.type('01312020')
    await page.waitForURL(/updatedSince=2020-01-31T05%3A00%3A00.000Z/)
  })

  it('don’t reopen the client picker when a pending search ends after a client was chosen', async () => {
    const page = await running().open('#/contracts')
    await range(page, '1–50 of 120')
    await page.getByText('More filters').click()
    const client = page.getByRole('combobox', { name: 'Client' })
    await client.pressSequentially('garage')
    await page.getByRole('option', { name: 'Garage Roy' }).waitFor()
    const release = await holdRequests(page, '**/clients?search=garage+r&*')
    const asked = page.waitForRequest(/search=garage\+r&/)
    await client.pressSequentially(' r')
    await asked
    await client.press('ArrowDown')
    await client.press('Enter')
    await range(page, '1–40 of 40')
    release()
    await page.unrouteAll({ behavior: 'wait' })
    await page.evaluate("fetch('healthz').then((answer) => answer.text())")
    assert.equal(await client.getAttribute('aria-expanded'), 'false')
  })

  it('request names that the key may not see only once', async () => {
    const { call, open } = running()
    const { body } = await call('POST', '/api-keys', { name: 'Contracts only', scopes: ['contracts:read'] })
    const { clientId } = (await call('GET', '/contracts?limit=1')).body.contracts[0]
    const page = await open('#/clients', { key: body.key })
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('/clients/names')) asked += 1
    })
    await page.goto(`${page.url().split('#')[0]}#/contracts?clientId=${clientId}`)
    await range(page, '1–40 of 40')
    for (let left = 5; left > 0; left--) await page.evaluate("fetch('healthz').then((answer) => answer.text())")
    assert.equal(asked, 1)
  })

  it('say so if the key may not see them', async () => {
    const { call, open } = running()
    const { body } = await call('POST', '/api-keys', { name: 'Clients only', scopes: ['clients:read'] })
    const page = await open('#/contracts', { key: body.key })
    await page.getByText('Your API key isn’t allowed to do this').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
    await page.getByRole('link', { name: 'Clients' }).click()
    await range(page, '1–3 of 3')
  })
})
