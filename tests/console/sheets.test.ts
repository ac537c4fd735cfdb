import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Download } from 'playwright-core'
import { readSheet } from 'read-excel-file/universal'
import { createClients } from '../support/clients.ts'
import { describeConsole } from '../support/console-browser.ts'
import { range, save } from '../support/console-pages.ts'
import { textsIn } from '../support/console-texts.ts'
import { aNewContract, importContracts } from '../support/rest.ts'

/** More rows than the packages write without a worker if they may start one. */
const ROW_COUNT = 2_000

describeConsole('Spreadsheets that the console saves', (running) => {
  const sheetOf = async (download: Download) => readSheet(new Blob([await readFile(await download.path())]))

  before(async () => {
    const { call } = running()
    const [clientId] = await createClients(call, 'École & Fils')
    const march = { clientId, serviceFee: 1234.5678, taxPercent: 8.25, serviceDate: '2026-03-31', notes: '=1+1' }
    await call('POST', '/contracts', aNewContract({ serviceName: 'Payroll', serviceType: 'payroll', ...march }))
    const row = (index: number) => `${clientId},Service ${index} ${'x'.repeat(99)},bulk,1,2026-04-30`
    const rows = Array.from({ length: ROW_COUNT }, (_, n) => row(n))
    await importContracts(call, ['clientId,serviceName,serviceType,serviceFee,serviceDate', ...rows])
  })

  it('have the contents of a list with the headings on screen: dates as dates, amounts as numbers', async () => {
    const page = await running().open('#/contracts?serviceDateFrom=2026-03-01&serviceDateTo=2026-03-31')
    await page.getByRole('link', { name: 'École & Fils' }).waitFor()
    const download = await save(page, 'Save as Excel')
    assert.equal(download.suggestedFilename(), 'contracts 2026-03-01 to 2026-03-31.xlsx')
    const [head = [], row = [], ...more] = await sheetOf(download)
    assert.deepEqual(more, [])
    const cells = Object.fromEntries(head.map((heading, index) => [heading, row[index]]))
    const { ID, Created, 'Last changed': changed, ...others } = cells
    assert.deepEqual(others, {
      Client: 'École & Fils',
      'Service name': 'Payroll',
      'Service type': 'payroll',
      'Service fee': 1234.5678,
      'Tax %': 8.25,
      'Total with tax': 1336.4196435,
      'Service date': new Date('2026-03-31'),
      Notes: '=1+1',
    })
    assert.deepEqual(
      [typeof ID, Created, changed].map((cell) => cell instanceof Date || cell),
      ['number', true, true],
    )
  })

  it('can be written under the page’s Content-Security-Policy, whatever their size', async () => {
    const page = await running().open('#/contracts')
    await range(page, `of ${(ROW_COUNT + 1).toLocaleString('en')}`)
    const download = await save(page, 'Save as Excel')
    assert.equal(download.suggestedFilename(), 'contracts.xlsx')
    assert.equal((await sheetOf(download)).length, ROW_COUNT + 2)
  })

  it('have the contents of a report', async () => {
    const page = await running().open('#/overview?serviceDateFrom=2026-01-01&serviceDateTo=2026-12-31')
    const months = await save(page, 'Save as Excel By month')
    assert.equal(months.suggestedFilename(), 'billed-by-month 2026-01-01 to 2026-12-31.xlsx')
    assert.deepEqual(await sheetOf(months), [
      ['Month', 'Contracts', 'Fees', 'Tax', 'Total with tax'],
      [new Date('2026-03-01'), 1, 1234.5678, 101.8522, 1336.42],
      [new Date('2026-04-01'), ROW_COUNT, ROW_COUNT, 0, ROW_COUNT],
    ])
    const [, row] = await sheetOf(await save(page, 'Save as Excel By client'))
    assert.deepEqual(row?.slice(0, 2), ['École & Fils', ROW_COUNT + 1])
  })

  it('are refused with an alternative if there are more rows than a browser can write', async () => {
    const page = await running().open('#/contracts')
    await page.route(/\/contracts\?/, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), total: 1_000_000 } })
    })
    await page.reload()
    await range(page, 'of 1,000,000')
    await page.getByRole('button', { name: 'Save as Excel' }).click()
    await page.getByText('These are 1,000,000 rows, and Mint saves at most 50,000 as Excel.').waitFor()
    await save(page, 'Save as CSV')
    assert.equal(await page.getByText('at most 50,000').count(), 0)
  })

  it('can be CSV in the format of a German browser, which an import in that browser reads back', async () => {
    const { open, call } = running()
    const { text: said } = textsIn('de-DE')
    const page = await open('#/contracts?serviceType=payroll', { locale: 'de-DE' })
    const download = await save(page, said('lists.saveSpelled'))
    const text = await readFile(await download.path(), 'utf8')
    assert.match(text, /^\ufeffid;clientId;client;/)
    assert.match(text, /;1234,5678;8,25;1336,4196435;31\.03\.2026;/)
    await page.goto(`${running().mint.url}/console#/import?kind=contracts`)
    await page.setInputFiles('#file', { name: 'back.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByRole('button', { name: said('import.check') }).click()
    await page.getByRole('button', { name: said('import.importRows', { count: 1 }) }).click()
    await page.getByText(said('import.created.contracts', { count: 1 })).waitFor()
    const { contracts } = (await call('GET', '/contracts?serviceType=payroll')).body
    const [one, other] = contracts.map(
      ({ id: _, createdAt: __, updatedAt: ___, ...fields }: Record<string, unknown>) => fields,
    )
    assert.deepEqual(one, other)
  })
})
