import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import Big from 'big.js'
import type { Page } from 'playwright-core'
import { createClients } from '../support/clients.ts'
import { describeConsole } from '../support/console-browser.ts'
import { cellsOf, heading, range, save } from '../support/console-pages.ts'
import { aNewContract, importContracts } from '../support/rest.ts'

const YEAR = 'serviceDateFrom=2026-01-01&serviceDateTo=2026-12-31'
const CONTRACTS = 60

const LARGE_FIGURES = `
  for (const figure of document.querySelectorAll('.line-by-line .amount data')) figure.textContent = 'CA$126,966.9125'
  for (const name of document.querySelectorAll('[data-label^=Service] bdi')) name.textContent = 'Monthly bookkeeping'`

const MILLIONS = `
  for (const figure of document.querySelectorAll('.line-by-line .amount data')) figure.textContent = '-126.966.912,50 €'
  for (const name of document.querySelectorAll('.line-by-line bdi')) name.textContent = 'Steuererklärung'`

const WIDTHS = `(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.table-box'))`

describeConsole('The lines behind a figure', (running) => {
  let clientId: string | undefined

  before(async () => {
    const { call } = running()
    ;[clientId] = await createClients(call, 'Garage Roy')
    // Half a cent of each total is rounded up, so the exact sum is less than what was billed.
    const row = (index: number) =>
      `${clientId},Service ${index},bookkeeping,10.1,5,${index < 50 ? '2026-03-31' : '2026-04-01'}`
    const rows = Array.from({ length: CONTRACTS }, (_, index) => row(index))
    await importContracts(call, ['clientId,serviceName,serviceType,serviceFee,taxPercent,serviceDate', ...rows])
  })

  const row = (page: Page, name: string) => page.getByRole('row', { name })
  const column = async (page: Page, label: string) => {
    const cells = page.getByRole('table').locator(`tbody [data-label="${label}"]`)
    return (await cells.allTextContents()).map((text) => text.trim())
  }
  const sumOf = (amounts: readonly string[]) => amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toFixed(2)
  /** Follows a row's figures to their lines. */
  const follow = async (page: Page, name: string) => {
    await row(page, name).locator('[data-label="Total with tax"]').getByRole('link').click()
    await heading(page, 'Overview line by line')
    await page.locator('p.range').waitFor()
  }

  it('add up to it on screen, on paper and in the file', async () => {
    const page = await running().open(`#/overview?${YEAR}`)
    const figure = row(page, 'March 2026').locator('[data-label="Total with tax"]')
    assert.equal((await figure.textContent())?.trim(), '530.50')
    await follow(page, 'March 2026')
    await range(page, '1–50 of 50, by service date. From Mar 1, 2026 to Mar 31, 2026')
    assert.equal(sumOf(await column(page, 'Total with tax')), '530.50')
    assert.equal(sumOf(await column(page, 'Fee')), '505.00')
    assert.equal(sumOf(await column(page, 'Tax')), '25.50')
    const sums = async () => (await cellsOf(row(page, 'All lines'))).filter(Boolean)
    assert.deepEqual(await sums(), ['505.00', '25.50', '530.50'])
    await page.getByRole('button', { name: 'Exact amounts' }).click()
    assert.equal(sumOf(await column(page, 'Tax')), '25.25')
    assert.deepEqual(await sums(), ['505.00', '25.25', '530.25'])
    await page.getByRole('button', { name: 'Exact amounts' }).click()

    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: 718, height: 1_040 })
    assert.equal(sumOf(await column(page, 'Total with tax')), '530.50')
    assert.equal(await row(page, 'All lines').getByText('530.50').isVisible(), true)
    // The widest figures possible, because this test's books are small.
    await page.evaluate(LARGE_FIGURES)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 718)
    await page.reload()
    await row(page, 'All lines').waitFor()
    await page.emulateMedia({ media: 'screen' })

    const download = await save(page, 'Save as CSV')
    assert.equal(download.suggestedFilename(), 'lines 2026-03-01 to 2026-03-31.csv')
    const [header = '', ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    const billed = header.split(',').indexOf('billed')
    assert.equal(sumOf(lines.map((line) => line.split(',')[billed] ?? '')), '530.50')
  })

  it('fit beside each other on a laptop, even with amounts in the millions', async () => {
    const page = await running().open(`#/overview/lines?${YEAR}`, {
      locale: 'de-DE',
      viewport: { width: 1280, height: 800 },
    })
    await row(page, 'Alle Zeilen').waitFor()
    await page.evaluate(MILLIONS)
    const [content, room] = (await page.evaluate(WIDTHS)) as number[]
    assert.equal(content, room)
  })

  it('have a subtotal for each page and a total', async () => {
    const page = await running().open(`#/overview?${YEAR}`)
    await follow(page, 'Garage Roy')
    await range(page, '1–50 of 60')
    await page.getByText('Client: Garage Roy').waitFor()
    const totals = async () => [
      sumOf(await column(page, 'Total with tax')),
      (await cellsOf(row(page, 'These lines'))).at(-1),
      (await cellsOf(row(page, 'All lines'))).at(-1),
    ]
    assert.deepEqual(await totals(), ['530.50', '530.50', '636.60'])
    await page.getByRole('link', { name: 'Next' }).click()
    await range(page, '51–60 of 60')
    assert.deepEqual(await totals(), ['106.10', '106.10', '636.60'])
    await page.getByLabel('Rows on a page').selectOption('1,000')
    await range(page, '1–60 of 60')
    assert.equal(sumOf(await column(page, 'Total with tax')), '636.60')
    assert.equal(await row(page, 'These lines').count(), 0)
  })

  it('are as of the moment at which the figure was read, until the user asks for the current ones', async () => {
    const { call, open } = running()
    const page = await open(`#/overview?serviceDateFrom=2026-05-01&serviceDateTo=2026-05-31`)
    await page.getByText('No contracts in the period shown').waitFor()
    const { body } = await call('POST', '/contracts', aNewContract({ clientId, serviceDate: '2026-05-02' }))
    await call('PATCH', `/contracts/${body.id}`, { serviceFee: 100, taxPercent: 0 })
    await page.reload()
    await row(page, 'May 2026').waitFor()
    await call('PATCH', `/contracts/${body.id}`, { serviceFee: 200 })
    await follow(page, 'May 2026')
    assert.deepEqual(await column(page, 'Total with tax'), ['100.00'])
    await page.reload()
    await row(page, 'All lines').waitFor()
    assert.deepEqual(await column(page, 'Total with tax'), ['100.00'])
    await page.getByRole('link', { name: 'Show as of now' }).click()
    await page.getByRole('table').getByText('200.00').first().waitFor()
    assert.deepEqual(await column(page, 'Total with tax'), ['200.00'])
    await call('PATCH', `/contracts/${body.id}`, { serviceDate: '2027-05-02' })
  })

  it('also exist for the same months of the previous year', async () => {
    const { call, open } = running()
    const { body } = await call('POST', '/contracts', aNewContract({ clientId, serviceDate: '2025-06-30' }))
    await call('POST', '/contracts', aNewContract({ clientId, serviceDate: '2025-12-31' }))
    const page = await open('#/overview?serviceDateFrom=2026-01-01&serviceDateTo=2026-12-31')
    // December 2026 is in the future, regardless of the machine's date.
    await page.clock.setFixedTime('2026-06-15T12:00:00Z')
    await page.reload()
    await row(page, 'Months so far').locator('[data-label="Year before"]').getByRole('link').click()
    await range(page, 'From Jan 1, 2025 to Jun 30, 2025')
    assert.deepEqual(await column(page, 'Contract'), [String(body.id)])
  })
})
