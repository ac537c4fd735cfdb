import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { createClients } from '../support/clients.ts'
import { describeConsole } from '../support/console-browser.ts'
import { cellsOf, heading, range, save } from '../support/console-pages.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

const YEAR = 'serviceDateFrom=2026-01-01&serviceDateTo=2026-12-31'

const FILE_NAME = 'billed-by-month 2026-01-01 to 2026-12-31.csv'

const TYPE_AND_CLICK = `
  const field = document.getElementById('filter-serviceType')
  field.value = 'payroll'
  field.dispatchEvent(new Event('input'))
  ;[...document.querySelectorAll('.periods button')].at(-1).click()`

const LARGE_FIGURES = `
  for (const figure of document.querySelectorAll('.sums data')) figure.textContent = '+27,866,966.91'`

describeConsole('The overview of the console', (running) => {
  it('suggests the first steps while Mint is empty', async () => {
    const page = await running().open('')
    await page.getByText('No contracts in the period shown').waitFor()
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Overview')
    await page.getByRole('link', { name: 'Add a business' }).click()
    await heading(page, 'New business')
  })

  describe('with contracts from two years', () => {
    const clients: Record<string, string> = {}
    /** The moment before the last contract was edited. */
    let then = ''

    before(async () => {
      const { call } = running()
      const names = ['Garage Roy', '<b>École']
      for (const [index, id] of (await createClients(call, ...names)).entries()) clients[names[index] ?? ''] = id
      const bill = async (serviceDate: string, serviceFee: number, changes: object = {}) => {
        const clientId = clients['Garage Roy']
        const contract = aNewContract({ clientId, serviceDate, serviceFee, taxPercent: 0, ...changes })
        return (await call('POST', '/contracts', contract)).body
      }
      await bill('2025-03-10', 1_000)
      await bill('2026-01-10', 500, { clientId: clients['<b>École'], serviceType: 'payroll' })
      await bill('2026-03-31', 19.99, { taxPercent: 8.25 })
      const last = await bill('2026-03-01', 2_000)
      await call('PUT', '/closing', { closedThrough: '2026-01-31', reason: 'Filed.' })
      then = (await call('GET', '/closing')).body.at
      await call('PUT', '/closing', { closedThrough: '2026-02-28', reason: 'Filed, too.' })
      await call('PATCH', `/contracts/${last.id}`, { serviceFee: 3_000 })
    })

    const table = (page: Page, name: string) => page.getByRole('table', { name })
    const row = (page: Page, name: string) => page.getByRole('row', { name })
    const cells = (page: Page, name: string) => cellsOf(row(page, name))

    it('shows the sums of each month next to those of the same month a year earlier, closed months in words, and exact amounts on request', async () => {
      const page = await running().open(`#/overview?${YEAR}`)
      await table(page, 'What was billed by month').waitFor()
      assert.deepEqual(await cells(page, 'March 2026'), [
        '2',
        '3,019.99',
        '1.65',
        '3,021.64',
        '1,000.00',
        '+2,021.64 +202.2%',
      ])
      assert.deepEqual(await cells(page, 'January 2026'), ['1', '500.00', '0.00', '500.00', '0.00', '+500.00'])
      const all = ['3', '3,519.99', '1.65', '3,521.64', '1,000.00', '+2,521.64 +252.2%']
      assert.deepEqual(await cells(page, 'All months'), all)
      await page.getByText('+2,521.64 (+252.2%) against the same months of the year before').waitFor()
      assert.deepEqual(await cells(page, 'Garage Roy'), ['2', '3,019.99', '1.65', '3,021.64'])
      assert.deepEqual(await cells(page, 'payroll'), ['1', '500.00', '0.00', '500.00'])
      await row(page, 'February 2026').getByText('Closed').waitFor()
      assert.equal(await row(page, 'March 2026').getByText('Closed').count(), 0)
      const total = row(page, 'March 2026').locator('[data-label="Total with tax"]')
      assert.equal(await total.getByRole('link').getAttribute('title'), 'exactly 3,021.639175')
      await page.getByRole('button', { name: 'Exact amounts' }).click()
      await total.getByText('3,021.639175').waitFor()
    })

    it('draws the months as bars labelled with their figures', async () => {
      const page = await running().open(`#/overview?${YEAR}`)
      const chart = page.getByRole('img', { name: 'Bar chart of what was billed by month' })
      await chart.waitFor()
      const titles = await chart.locator('.month title').allTextContents()
      assert.equal(titles.length, 24)
      assert.deepEqual(titles.slice(4, 6), ['March 2026, year before: 1,000.00', 'March 2026: 3,021.64'])
      const heights = await chart.locator('.bar').evaluateAll((bars) => bars.map((bar) => bar.getAttribute('height')))
      assert.ok(Number(heights[5]) > 2.9 * Number(heights[4]) && Number(heights[4]) > 0)
      await chart.locator('.bar').nth(5).click()
      await range(page, '1–2 of 2')
      await page.goBack()
      await chart
        .locator('.month')
        .nth(4)
        .click({ position: { x: 3, y: 3 } })
      await range(page, '1–1 of 1')
    })

    it('draws a single month narrow enough to leave most of the page free', async () => {
      const page = await running().open('#/overview?serviceDateFrom=2026-03-01&serviceDateTo=2026-03-31')
      const share = `(() => {
        const width = (selector) => document.querySelector(selector).getBoundingClientRect().width
        return width('.plot .bar.this') / width('.plot')
      })()`
      await page.locator('.plot').waitFor()
      assert.ok(((await page.evaluate(share)) as number) < 0.1)
    })

    it('links every figure to the lines behind it, and a month to what was billed in it by client', async () => {
      const page = await running().open(`#/overview?${YEAR}`)
      const leadsTo = async (figure: ReturnType<typeof row>, count: string, address: RegExp) => {
        await figure.click()
        await range(page, count)
        assert.match(page.url(), address)
        await page.goBack()
        await table(page, 'What was billed by month').waitFor()
      }
      const march = row(page, 'March 2026')
      await leadsTo(march.getByRole('link', { name: '1.65' }), '1–2 of 2', /From=2026-03-01&serviceDateTo=2026-03-31/)
      await leadsTo(march.getByRole('link', { name: '1,000.00' }), '1–1 of 1', /From=2025-03-01&serviceDateTo=2025-03/)
      await leadsTo(row(page, 'payroll').getByRole('link', { name: '500.00' }).first(), '1–1 of 1', /Type=payroll/)
      const ofClient = new RegExp(`clientId=${clients['<b>École']}&serviceDateFrom=2026-01-01`)
      await leadsTo(page.getByRole('link', { name: '<b>École' }), '1–1 of 1', ofClient)
      await march.getByRole('link', { name: 'March 2026' }).click()
      await heading(page, 'Overview by client')
      await range(page, '1–1 of 1. From Mar 1, 2026 to Mar 31, 2026')
      assert.deepEqual(await cells(page, 'Garage Roy'), ['2', '3,019.99', '1.65', '3,021.64'])
    })

    it('filters by date, client and type, with an address that can be shared', async () => {
      const page = await running().open(`#/overview?${YEAR}`)
      await page.getByRole('searchbox', { name: 'Service type' }).fill('payroll')
      await page.waitForURL(/serviceType=payroll/)
      await page.getByLabel('Service date to').fill('2026-01-31')
      await row(page, 'March 2026').waitFor({ state: 'detached' })
      await page.reload()
      await row(page, 'January 2026').waitFor()
      assert.equal((await cells(page, 'All months'))[0], '1')
      await page.getByRole('button', { name: 'All time' }).click()
      await page.waitForURL(/period=all/)
      const ofClient = await running().open(`#/overview?${YEAR}&clientId=${clients['Garage Roy']}`)
      await row(ofClient, 'All months').waitFor()
      // The name may arrive after the figures.
      const client = ofClient.getByRole('combobox', { name: 'Client' })
      await waitFor(async () => (await client.inputValue()) === 'Garage Roy')
      assert.equal((await cells(ofClient, 'All months'))[0], '2')
    })

    it('applies both a filter being typed and a period clicked at the same time', async () => {
      const page = await running().open(`#/overview?${YEAR}`)
      await row(page, 'January 2026').waitFor()
      await page.evaluate(TYPE_AND_CLICK)
      await page.waitForURL(/serviceType=payroll/)
      assert.match(page.url(), /period=all/)
      assert.doesNotMatch(page.url(), /serviceDate/)
    })

    it('shows sums and closing as of a past moment', async () => {
      const page = await running().open(`#/overview?${YEAR}&asOf=${then}`)
      await row(page, 'January 2026').getByText('Closed').waitFor()
      assert.equal(await row(page, 'February 2026').getByText('Closed').count(), 0)
      assert.equal((await cells(page, 'March 2026'))[1], '2,019.99')
      await page.getByRole('link', { name: 'Back to today' }).click()
      await row(page, 'March 2026').getByRole('link', { name: '3,019.99' }).waitFor()
    })

    it('prints within the width of a page, even with amounts in the millions', async () => {
      const page = await running().open(`#/overview?${YEAR}`)
      await row(page, 'March 2026').waitFor()
      await page.emulateMedia({ media: 'print' })
      await page.setViewportSize({ width: 718, height: 1_040 })
      // The widest figures possible, because these tests' books are small.
      await page.evaluate(LARGE_FIGURES)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 718)
    })

    it('shows a phone the sums and the chart first, and folds months, the other clients and filters', async () => {
      const phone = { viewport: { width: 390, height: 844 }, locale: 'de-DE' }
      const page = await running().open(`#/overview?${YEAR}`, phone)
      const months = page.locator('section', { has: page.getByRole('heading', { name: 'Nach Monaten' }) })
      await months.getByText('Alle Monate').waitFor()
      assert.deepEqual(await page.locator('tbody th').allInnerTexts(), [
        '',
        ...Array(11).fill(''),
        'Garage Roy',
        '<b>École',
        'bookkeeping',
        'payroll',
      ])
      assert.ok(((await page.evaluate('document.documentElement.scrollHeight')) as number) < 4 * 844)
      await months.getByText('Weitere zeigen (12)').click()
      await row(page, 'März 2026').getByText('3.021,64').waitFor()
      await page.getByText('Weitere Filter').click()
      await page.getByRole('searchbox', { name: 'Leistungsart' }).fill('payroll')
      await page.waitForURL(/serviceType=payroll/)
      await page.reload()
      await page.getByRole('searchbox', { name: 'Leistungsart' }).waitFor()
    })

    it('saves what it shows as the CSV file that the API serves, whatever was changed since', async () => {
      const { call, open } = running()
      const clientId = clients['Garage Roy'] ?? ''
      const [{ id }] = (await call('GET', `/contracts?clientId=${clientId}&serviceDateFrom=2026-03-01&limit=1`)).body
        .contracts
      for (const [hash, button, groupBy] of [
        [`#/overview?${YEAR}`, 'Save as CSV By month', 'month'],
        [`#/overview/clients?${YEAR}`, 'Save as CSV By client', 'clientId'],
        [`#/clients/${clientId}`, 'Save as CSV By month', `month&clientId=${clientId}`],
      ] as const) {
        const page = await open('#/help')
        await page.clock.setFixedTime('2026-11-01T12:00:00Z')
        await page.evaluate(`location.hash = '${hash}'`)
        await table(page, groupBy === 'clientId' ? 'By client' : 'What was billed by month').waitFor()
        const { text } = await call('GET', `/reports/contracts.csv?groupBy=${groupBy}&${YEAR}&bom=true`)
        await call('PATCH', `/contracts/${id}`, { serviceFee: 7_777 })
        const download = await save(page, button)
        if (groupBy === 'month') assert.equal(download.suggestedFilename(), FILE_NAME)
        await call('PATCH', `/contracts/${id}`, { serviceFee: 3_000 })
        assert.equal(await readFile(await download.path(), 'utf8'), text, hash)
      }
    })

    it('sends five API requests, whatever it shows, and one for the count of proposals, all reports as of the first one', async () => {
      const page = await running().open('#/clients')
      await range(page, '1–2 of 2')
      const asked: URL[] = []
      page.on('request', (request) => asked.push(new URL(request.url())))
      await page.evaluate(`location.hash = '#/overview?${YEAR}'`)
      await table(page, 'By service type').waitFor()
      const ofApi = asked.map(({ pathname }) => pathname).filter((path) => !path.startsWith('/console/'))
      assert.deepEqual(ofApi.sort(), [
        '/closing',
        '/proposals',
        ...Array.from({ length: 4 }, () => '/reports/contracts'),
      ])
      const reports = asked.filter(({ pathname }) => pathname === '/reports/contracts')
      const link = await page.getByRole('link', { name: 'Garage Roy' }).getAttribute('href')
      const at = new URLSearchParams(link?.split('?')[1]).get('at')
      assert.deepEqual(
        reports.map(({ searchParams }) => searchParams.get('asOf')),
        [null, at, at, at],
      )
    })
  })
})
