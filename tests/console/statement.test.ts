import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { extractText } from 'unpdf'
import { describeConsole } from '../support/console-browser.ts'
import { cellsOf, heading, save } from '../support/console-pages.ts'
import { aNewContract, importContracts } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

const MARCH = 'serviceDateFrom=2026-03-01&serviceDateTo=2026-03-31'

/** The width between the margins, in pixels. */
const PAPERS = { A4: 680, Letter: 702 } as const

describeConsole('A client’s statement in the console', (running) => {
  let client: Record<string, string> = {}
  const sheet = (page: Page) => page.getByRole('article')
  const table = (page: Page, name: string) => page.getByRole('table', { name })
  const cells = (page: Page, name: string, row: string) => cellsOf(table(page, name).getByRole('row', { name: row }))

  /** A statement's page once its address has the statement's moment. */
  async function opened(query: string, options = {}): Promise<Page> {
    const page = await running().open(`#/clients/${client.clientId}/statement?${query}`, options)
    await page.waitForURL(/at=/)
    return page
  }

  async function bill(serviceDate: string, serviceFee: number, taxPercent: number, changes: object = {}) {
    const contract = { clientId: client.clientId, serviceDate, serviceFee, taxPercent, ...changes }
    return (await running().call('POST', '/contracts', aNewContract(contract))).body
  }

  before(async () => {
    const fields = { legalName: 'École Montréal Ltée', operatedAs: 'École Montréal', businessNumber: '123456789RC0001' }
    client = (await running().call('POST', '/businesses', { ...fields, phone: '+1 514 555 0199' })).body
    await bill('2026-03-31', 19.99, 8.25)
    await bill('2026-03-10', 100, 13, { serviceName: 'Payroll run' })
    await bill('2026-03-20', -19.99, 13, { serviceName: 'Credit' })
    await bill('2026-02-28', 1_000, 0)
    await bill('2026-03-15', 5_000, 0, { clientId: '11111111-1111-1111-1111-111111111111' })
  })

  it('has the client’s contracts of the period, with sums by tax rate and a total, whatever filter its link came from', async () => {
    const page = await opened(`${MARCH}&serviceType=none`)
    const text = await sheet(page).innerText()
    assert.match(text, /Statement\s+Mar 1, 2026 – Mar 31, 2026\s+As of /)
    assert.match(
      text,
      /École Montréal Ltée\s+École Montréal\s+Business number: 123456789RC0001\s+Phone: \+1 514 555 0199/,
    )
    const services = await table(page, 'Contracts').locator('tbody').getByRole('rowheader').allTextContents()
    assert.deepEqual(services, ['Payroll run', 'Credit', 'Annual accounts'])
    const amounts = async (name: string, row: string) => (await cells(page, name, row)).slice(-3)
    assert.deepEqual(await amounts('Contracts', 'Annual accounts'), ['19.99', '1.65', '21.64'])
    assert.deepEqual(await amounts('Contracts', 'Credit'), ['-19.99', '-2.60', '-22.59'])
    assert.deepEqual(await amounts('Contracts', 'Total'), ['100.00', '12.05', '112.05'])
    assert.deepEqual(await amounts('Tax by rate', '8.25'), ['19.99', '1.65', '21.64'])
    assert.deepEqual(await amounts('Tax by rate', '13'), ['80.01', '10.40', '90.41'])
    assert.deepEqual(await amounts('Tax by rate', 'Total'), ['100.00', '12.05', '112.05'])
  })

  it('is for last month by the user’s calendar, and for any other period on request', async () => {
    const page = await running().open(`#/clients/${client.clientId}`)
    await heading(page, 'École Montréal')
    // Mint’s clock is far ahead of this one.
    await page.clock.setFixedTime('2026-04-15T12:00:00Z')
    await page.getByRole('link', { name: 'Statement' }).click()
    await page.waitForURL(/serviceDateFrom=2026-03-01&serviceDateTo=2026-03-31&at=/)
    await heading(page, 'Statement for École Montréal')
    await page.getByRole('button', { name: 'This year' }).click()
    await table(page, 'Contracts').getByText('Feb 28, 2026').waitFor()
    await page.getByRole('button', { name: 'This month' }).click()
    await page.getByText('Nothing was billed in this period.').waitFor()
    await page.getByLabel('Service date from').fill('2026-03-11')
    await page.getByLabel('Service date to').fill('2026-03-30')
    await page.waitForURL(/serviceDateFrom=2026-03-11&serviceDateTo=2026-03-30/)
    const services = table(page, 'Contracts').locator('tbody').getByRole('rowheader')
    await waitFor(async () => (await services.allTextContents()).join() === 'Credit')
  })

  it('never changes at its address, whatever is edited, renamed or added, until the user updates it', async () => {
    const { call, open } = running()
    const { body: business } = await call('POST', '/businesses', { legalName: 'First Ltd.' })
    const { clientId } = business
    const { id } = await bill('2026-03-20', 100, 13, { clientId, serviceName: 'As agreed' })
    const page = await open(`#/clients/${clientId}/statement?${MARCH}`)
    await page.waitForURL(/at=/)
    const before = await sheet(page).innerText()
    assert.match(before, /First Ltd\.\s[\s\S]*As agreed/)
    await call('PATCH', `/contracts/${id}`, { serviceFee: 50, serviceName: 'Reduced' })
    await call('PATCH', `/businesses/${business.id}`, { legalName: 'Renamed Inc.', operatedAs: 'Renamed', phone: '1' })
    await bill('2026-03-12', 7, 5, { clientId, serviceName: 'Added' })
    const [, hash] = page.url().split('/console')
    const again = await open(hash)
    await table(again, 'Tax by rate').waitFor()
    assert.equal(await sheet(again).innerText(), before)
    await again.getByRole('button', { name: 'Bring up to date' }).click()
    await table(again, 'Contracts').getByText('Reduced').waitFor()
    assert.match(await sheet(again).innerText(), /Renamed Inc\.[\s\S]+Added/)
    await again.waitForURL(/at=/)
    assert.notEqual(again.url(), page.url())
  })

  it('is shown as of the date that the console shows, even before the client existed', async () => {
    const page = await running().open(`#/clients/${client.clientId}/statement?${MARCH}&asOf=2026-01-31`)
    await page.getByText('Nothing was billed in this period.').waitFor()
    await page.getByText('As it stood at the end of Jan 31, 2026').waitFor()
    await sheet(page).getByText('Jan 31, 2026').or(sheet(page).getByText('Feb 1, 2026')).waitFor()
    assert.doesNotMatch(page.url(), /at=/)
    await page.getByRole('link', { name: 'Back to today' }).click()
    await table(page, 'Contracts').waitFor()
  })

  it('saves its lines as CSV, as of its moment', async () => {
    const page = await opened(MARCH)
    await table(page, 'Contracts').waitFor()
    const { id } = await bill('2026-03-31', 7_777, 0)
    const download = await save(page, 'Save as CSV')
    assert.equal(download.suggestedFilename(), 'statement 2026-03-01 to 2026-03-31.csv')
    const file = await readFile(await download.path(), 'utf8')
    assert.deepEqual(file.match(/,(Payroll run|Credit|Annual accounts),/g), [
      ',Payroll run,',
      ',Credit,',
      ',Annual accounts,',
    ])
    await running().call('PATCH', `/contracts/${id}`, { serviceDate: '2027-03-31' })
  })

  it('shows the client’s name even to a key that may only read contracts', async () => {
    const { body } = await running().call('POST', '/api-keys', { name: 'Auditor', scopes: ['contracts:read'] })
    const page = await opened(MARCH, { key: body.key })
    await heading(page, 'Statement for École Montréal')
  })

  it('asks for a shorter period instead of showing more lines than anyone would print', async () => {
    const page = await running().open(`#/clients/${client.clientId}`)
    await page.route('**/reports/contracts/lines?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), total: 10_001 } })
    })
    await page.getByRole('link', { name: 'Statement' }).click()
    await page.getByText('10,001 contracts, more than a statement can show').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Print' }).isDisabled())
  })

  it('explains why its fees and taxes may differ from the overview, if any fee is rounded', async () => {
    const note = /^Some fees are rounded here/
    assert.equal(await (await opened(MARCH)).getByText(note).count(), 0)
    await bill('2025-01-10', 10.005, 0)
    const page = await opened('serviceDateFrom=2025-01-01&serviceDateTo=2025-01-31')
    await page.getByText(note).waitFor()
    await page.emulateMedia({ media: 'print' })
    assert.ok(await page.getByText(note).isHidden())
  })

  it('has the firm’s name, address, tax number and currency, as they were at its moment', async () => {
    const page = await opened(MARCH)
    const before = await sheet(page).innerText()
    const firm = { name: 'Silva & Roy', address: '12 Rue Haute\nMontréal', taxId: 'TX-77', currency: 'CAD' }
    await running().call('PATCH', '/firm', { ...firm, timeZone: 'America/Toronto' })
    const [, pinned = ''] = page.url().split('/console')
    await page.getByRole('button', { name: 'Bring up to date' }).click()
    await sheet(page).getByText('Silva & Roy').waitFor()
    const text = await sheet(page).innerText()
    assert.match(text, /^Silva & Roy\s+12 Rue Haute\nMontréal\s+Tax ID: TX-77/)
    assert.match(text, /As of [^\n]+ \(America\/Toronto\)/)
    assert.deepEqual((await cells(page, 'Contracts', 'Total')).slice(-3), ['CA$100.00', 'CA$12.05', 'CA$112.05'])
    await page.evaluate(`location.hash = '${pinned}'`)
    await sheet(page).getByText('Silva & Roy').waitFor({ state: 'detached' })
    assert.equal(await sheet(page).innerText(), before)
  })

  describe('of more than a thousand lines', () => {
    const LINES = 1_050
    let long = ''

    before(async () => {
      const { call } = running()
      await call('PATCH', '/firm', { name: 'Silva & Roy', currency: 'CAD' })
      const { clientId } = (await call('POST', '/businesses', { legalName: 'Long list' })).body
      const row = (number: number) =>
        `${clientId},Service no. ${number},tax,${number}.25,8.25,2026-03-${10 + (number % 20)}`
      const rows = Array.from({ length: LINES }, (_, index) => row(index + 1))
      await importContracts(call, ['clientId,serviceName,serviceType,serviceFee,taxPercent,serviceDate', ...rows])
      long = `#/clients/${clientId}/statement?${MARCH}`
    })

    it('prints on A4 and Letter: no line split, headings on each page, numbered pages, no console around it', async () => {
      const page = await running().open(long, { colorScheme: 'dark' })
      await table(page, 'Tax by rate').waitFor()
      for (const [format, width] of Object.entries(PAPERS)) {
        const { text: pages, totalPages } = await extractText(new Uint8Array(await page.pdf({ format })))
        assert.ok(totalPages > 15 && totalPages < 40, `${totalPages} pages`)
        for (const [index, text] of pages.entries()) {
          assert.ok(text.includes(`${index + 1} / ${totalPages}`), `${format}: page ${index + 1} has its number`)
          if (index < totalPages - 1) assert.match(text, /Date\s+Contract\s+Service\s+Tax %/)
        }
        const all = pages.join(' ')
        const found = new Set([...all.matchAll(/Service no\. (\d+)\b/g)].map(([, number]) => number))
        assert.equal(found.size, LINES)
        assert.equal([...all.matchAll(/Total\s+CA\$/g)].length, 2, 'the total ends the lines, and the rates')
        assert.match(pages[0] ?? '', /Silva & Roy[\s\S]*Long list/)
        assert.doesNotMatch(all, /Sign out|Overview|Bring up to date|Save as/)
        await page.emulateMedia({ media: 'print' })
        await page.setViewportSize({ width, height: 1_000 })
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
      }
    })
  })
})
