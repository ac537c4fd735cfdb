import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describeConsole, holdRequests } from '../support/console-browser.ts'
import { cellsOf, heading, range } from '../support/console-pages.ts'
import { BROWSER } from '../support/console-windows.ts'
import { aNewContract, OVERRIDING } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

describeConsole('Clients in the console', (running) => {
  const table = (page: Page, name: string) => page.getByRole('table', { name })
  /** By the browser's calendar. */
  const year = Number(new Date().toLocaleDateString('sv', { timeZone: BROWSER.timezoneId }).slice(0, 4))
  const lastMarch = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((day) => `Mar ${day}, ${year - 1}`)
  let [id, clientId] = ['', '']
  /** The moment before the last contract was created. */
  let then = ''

  before(async () => {
    const { call } = running()
    for (const legalName of ['Garage Roy Ltd.', 'Bakery Silva']) {
      const operatedAs = legalName.replace(' Ltd.', '')
      const { body } = await call('POST', '/businesses', {
        legalName,
        operatedAs,
        phone: '+1 514 555 0199',
        email: 'roy@example.com',
      })
      if (legalName.startsWith('Garage')) [id, clientId] = [body.id, body.clientId]
    }
    const bill = async (serviceDate: string, serviceFee: number) =>
      (await call('POST', '/contracts', aNewContract({ clientId, serviceDate, serviceFee, taxPercent: 10 }))).body
    for (let day = 1; day <= 9; day++) await bill(`${year - 1}-03-0${day}`, 100)
    const { createdAt } = await bill(`${year}-03-05`, 500)
    then = createdAt
    await bill(`${year}-01-10`, 50)
    await call('POST', '/contracts', aNewContract({ serviceDate: `${year}-03-05`, serviceFee: 7_000 }), OVERRIDING)
    await waitFor(async () => (await call('GET', '/clients')).body.total === 2)
  })

  it('share one list with their businesses, at the addresses of both', async () => {
    const page = await running().open('#/businesses?search=roy')
    await range(page, '1–1 of 1')
    await heading(page, 'Clients')
    const current = page.getByRole('navigation').locator('[aria-current]')
    assert.deepEqual(await current.allTextContents(), ['Clients'])
    assert.equal(await page.getByRole('navigation').getByRole('link', { name: 'Businesses' }).count(), 0)
    await current.click()
    await range(page, '1–2 of 2')
    assert.match(page.url(), /#\/clients$/)
    const beyond = await running().open('#/clients?offset=50')
    const first = beyond.getByRole('navigation', { name: 'Pages of the list' }).getByRole('link', { name: 'First' })
    assert.equal(await first.getAttribute('href'), '#/clients')
    await page.getByRole('link', { name: 'Garage Roy Ltd.' }).click()
    await heading(page, 'Garage Roy')
    assert.deepEqual(await current.allTextContents(), ['Clients'])
  })

  it('are headed by the word for them until their name is known, never by an id', async () => {
    for (const [hash, word] of [
      [`#/clients/${clientId}`, 'Client'],
      [`#/businesses/${id}`, 'Client'],
      [`#/businesses/${id}/edit`, 'Edit business'],
    ] as const) {
      const page = await running().open('#/clients')
      await heading(page, 'Clients')
      const release = await holdRequests(page, new RegExp(`/businesses/${id}$`))
      await page.evaluate(`location.hash = '${hash}'`)
      await heading(page, word, { exact: true })
      release()
      await heading(page, 'Garage Roy')
    }
  })

  it('have one page, at an address with either their own id or that of their business', async () => {
    const page = await running().open(`#/clients/${clientId}`)
    const text = async () => {
      await table(page, 'Last contracts').waitFor()
      await page.getByText('First values').waitFor()
      return await page.locator('main').innerText()
    }
    const ofClient = await text()
    const past = page.getByRole('link', { name: 'As it stood then (version 1)' })
    assert.match((await past.getAttribute('href')) ?? '', new RegExp(`^#/clients/${clientId}\\?asOf=`))
    await page.evaluate(`location.hash = '#/businesses/${id}'`)
    await table(page, 'Last contracts').waitFor({ state: 'detached' })
    assert.equal(await text(), ofClient)
  })

  it('show their contact details, what they were billed this year and last year by month, and their last ten contracts by date, with a link to all', async () => {
    const page = await running().open(`#/clients/${clientId}`)
    await heading(page, 'Garage Roy')
    const months = table(page, 'What was billed by month')
    await months.waitFor()
    // The note below the table names it.
    await page.getByRole('button', { name: 'Exact amounts' }).waitFor()
    const cells = (name: string) => cellsOf(months.getByRole('row', { name }))
    assert.deepEqual(await cells(`March ${year}`), ['1', '500.00', '50.00', '550.00', '990.00', '-440.00 -44.4%'])
    assert.deepEqual(await cells(`January ${year}`), ['1', '50.00', '5.00', '55.00', '0.00', '+55.00'])
    const bars = page.getByRole('img', { name: 'Bar chart of what was billed by month' }).locator('.month title')
    assert.equal((await bars.allTextContents())[4], `March ${year}, year before: 990.00`)
    for (const text of ['+1 514 555 0199', 'roy@example.com', 'Garage Roy Ltd.']) {
      await page.locator('.fields').getByText(text).waitFor()
    }
    const dates = table(page, 'Last contracts').locator('td.date')
    await dates.first().waitFor()
    const last = [`Mar 5, ${year}`, `Jan 10, ${year}`, ...lastMarch.slice(0, 8)]
    assert.deepEqual(await dates.allTextContents(), last)
    await page.getByRole('link', { name: 'All 11 contracts' }).click()
    await range(page, '1–11 of 11')
  })

  it('show figures and contracts as of a past moment', async () => {
    const page = await running().open(`#/clients/${clientId}?asOf=${then}`)
    const months = table(page, 'What was billed by month')
    await months
      .getByRole('row', { name: `March ${year}` })
      .getByText('550.00')
      .waitFor()
    assert.equal(await months.getByText('55.00', { exact: true }).count(), 0)
    await table(page, 'Last contracts').waitFor()
    const dates = await table(page, 'Last contracts').locator('td.date').allTextContents()
    assert.deepEqual(dates, [`Mar 5, ${year}`, ...lastMarch])
    assert.equal(await page.getByRole('link', { name: 'New contract' }).count(), 0)
    await page.getByRole('link', { name: 'Back to today' }).click()
    await months.getByText('55.00', { exact: true }).first().waitFor()
  })

  it('show their ids as a detail, which a click selects for copying, and link to a form for a new contract of theirs', async () => {
    const page = await running().open(`#/businesses/${id}`)
    await page.getByText('IDs', { exact: true }).waitFor()
    assert.ok(!(await page.locator('main').innerText()).includes(clientId))
    await page.getByText('IDs', { exact: true }).click()
    await page.locator('.ids > dl > div', { hasText: 'Business ID' }).getByText(id).waitFor()
    await page.locator('.ids').getByText(clientId).click()
    assert.equal(await page.evaluate('String(getSelection())'), clientId)
    await page.getByRole('link', { name: 'New contract' }).click()
    await heading(page, 'New contract')
    await waitFor(async () => (await page.getByRole('combobox', { name: 'Client' }).inputValue()) === 'Garage Roy')
  })

  it('say so if nothing was billed', async () => {
    const { call, open } = running()
    const { body } = await call('POST', '/businesses', { legalName: 'Never billed' })
    const page = await open(`#/businesses/${body.id}`)
    await page.getByText('Nothing has been billed to this client so far.').waitFor()
  })

  it('show only what the key may see', async () => {
    const { call, open } = running()
    const opened = async (scopes: readonly string[], hash: string) =>
      await open(hash, { key: (await call('POST', '/api-keys', { name: 'Some', scopes })).body.key })

    const reader = await opened(['clients:read'], '#/clients')
    await reader.getByRole('link', { name: 'Garage Roy' }).click()
    await heading(reader, 'Garage Roy')
    assert.equal(await reader.getByRole('link', { name: 'Statement' }).count(), 0)

    const secretary = await opened(['businesses:read'], '#/clients')
    const asked: string[] = []
    secretary.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await secretary.getByRole('link', { name: 'Garage Roy Ltd.' }).click()
    await secretary.locator('.fields').getByText('roy@example.com').waitFor()
    assert.deepEqual(
      asked.filter((path) => /^\/(contracts|reports)/.test(path)),
      [],
    )

    const auditor = await opened(['clients:read', 'contracts:read'], `#/clients/${clientId}`)
    await table(auditor, 'Last contracts').waitFor()
    await auditor.getByRole('link', { name: 'Statement' }).waitFor()
  })
})
