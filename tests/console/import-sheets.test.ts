import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import writeFile, { type SheetData } from 'write-excel-file/universal'
import { createClients } from '../support/clients.ts'
import { describeConsole, holdRequests } from '../support/console-browser.ts'
import { chooseCsv } from '../support/console-pages.ts'

describeConsole('Importing spreadsheets in the console', (running) => {
  const button = (page: Page, name: string) => page.getByRole('button', { name })
  const fieldOf = (page: Page, column: string) => page.getByLabel(`Field of column ${column}`)
  const choose = async (page: Page, name: string, buffer: Buffer) =>
    await page.setInputFiles('#file', { name, mimeType: 'application/octet-stream', buffer })
  const workbook = async (sheets: Readonly<Record<string, SheetData>>) => {
    const all = Object.entries(sheets).map(([sheet, data]) => ({ sheet, data, dateFormat: 'dd.mm.yyyy' }))
    return Buffer.from(await (await writeFile(all).toBlob()).arrayBuffer())
  }
  const rowsOf = async (page: Page, name: string) => {
    const rows = page.getByRole('table', { name }).getByRole('row')
    await rows.nth(1).waitFor()
    return await rows.evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').trim())),
    )
  }

  const head = ['Datum', 'Mandant', 'Leistung', 'Leistungsart', 'Honorar', 'MwSt. %', 'Brutto']
  const row = (client: string, day: string, fee: number, total: number) => [
    ...[new Date(day), client, 'Lohnabrechnung', 'payroll', fee, 19, total],
  ]

  before(async () => {
    await createClients(running().call, 'École Montréal')
  })

  it('reads a sheet with German headings, shows its rows as Mint reads them, and creates missing clients', async () => {
    const { open, call } = running()
    const page = await open('#/import?kind=contracts')
    const march = [
      head,
      row('ecole montreal', '2026-03-31', 1234.5, 1469.06),
      [null, null, null, null, null, null, null],
      row('Garage Roy', '2026-03-01', 33.33, 39.66),
      row('GARAGE ROY', '2026-03-02', 1.234, 1.47),
    ]
    await choose(
      page,
      'Rechnungen.xlsx',
      await workbook({ März: march, April: [head, row('X', '2026-04-01', 1, 1.19)] }),
    )
    await page.getByText('Rechnungen.xlsx: 3 rows').waitFor()
    assert.equal(await page.getByRole('group', { name: 'is read' }).count(), 0)
    assert.deepEqual(await rowsOf(page, 'The first rows as Mint reads them'), [
      ['Client (name)', 'Service name', 'Service type', 'Service fee', 'Tax %', 'Service date'],
      ['ecole montreal', 'Lohnabrechnung', 'payroll', '1,234.50', '19', 'Mar 31, 2026'],
      ['Garage Roy', 'Lohnabrechnung', 'payroll', '33.33', '19', 'Mar 1, 2026'],
      ['GARAGE ROY', 'Lohnabrechnung', 'payroll', '1.234', '19', 'Mar 2, 2026'],
    ])
    await button(page, 'Check the file').click()
    await page.getByText('A client of the file isn’t in Mint yet: Garage Roy.').waitFor()
    assert.match(
      String(await page.evaluate('document.activeElement.textContent')),
      /^\s*A client of the file isn’t in Mint/,
    )
    assert.equal(await page.getByText('Correct the file, then choose it again.').count(), 0)
    assert.equal((await call('GET', '/businesses')).body.total, 1)
    await button(page, 'Create this client').click()
    await page.locator('#main').getByText('All 3 rows are valid.').waitFor()
    assert.equal(await page.getByRole('table', { name: 'differ from what Mint computes' }).count(), 0)
    await button(page, 'Import 3 rows').click()
    await page.getByText('3 contracts created.').waitFor()
    const { contracts } = (await call('GET', '/contracts')).body
    assert.deepEqual(
      contracts.map(({ serviceFee, taxPercent, serviceDate }: Record<string, unknown>) => [
        ...[serviceFee, taxPercent, String(serviceDate).slice(0, 10)],
      ]),
      [
        [1.234, 19, '2026-03-02'],
        [33.33, 19, '2026-03-01'],
        [1234.5, 19, '2026-03-31'],
      ],
    )
    assert.equal((await call('GET', '/clients')).body.total, 2)
  })

  it('reads a report as other programs save it, below its titles, and never dates a row today unseen', async () => {
    const { open, call } = running()
    const page = await open('#/import?kind=contracts')
    const report = (day: string) =>
      Buffer.from(
        `\ufeffSales by Customer\t\t\t\t\r\nJanuary 2026\t\t\t\t\r\n\r\nCustomer\tItem\tCategory\tAmount\tDate\r\n` +
          `École Montréal\tPayroll\treport\t"1,234.50"\t01/31/2026\r\nÉcole Montréal\tCredit\treport\t(34.50)\t${day}\r\n`,
        'utf16le',
      )
    await choose(page, 'report.txt', report(''))
    await page.getByText('report.txt: 2 rows').waitFor()
    await page.getByText('The columns are named in line 4. What is above it is left out.').waitFor()
    await button(page, 'Check the file').click()
    await page.getByText('Rows without a service date would be dated today.').waitFor()
    await page.getByText('in the file, and choose it again: 6').waitFor()
    await fieldOf(page, 'Date').selectOption('Leave out')
    await button(page, 'Check the file').click()
    await page.getByText('in the file, and choose it again: 5 · 6').waitFor()
    await choose(page, 'report.txt', report('02/01/2026'))
    await fieldOf(page, 'Date').selectOption('Service date')
    await button(page, 'Check the file').click()
    await button(page, 'Import 2 rows').waitFor()
    assert.equal(await page.getByText('dated today').count(), 0)
    await button(page, 'Import 2 rows').click()
    await page.getByText('2 contracts created.').waitFor()
    const { rows, sums } = (await call('GET', '/reports/contracts?groupBy=month&serviceType=report')).body
    assert.deepEqual(
      rows.map(({ month, serviceFee }: Record<string, unknown>) => [month, serviceFee]),
      [
        ['2026-01', '1234.5'],
        ['2026-02', '-34.5'],
      ],
    )
    assert.equal(sums.serviceFee, '1200')
  })

  it('asks which sheet to import if a file has several', async () => {
    const page = await running().open('#/import?kind=contracts')
    const april = [head, row('Garage Roy', '2026-04-01', 10, 11.9), row('Garage Roy', '2026-04-02', 10, 11.9)]
    await choose(
      page,
      'book.xlsx',
      await workbook({ März: [head, row('A', '2026-03-01', 1, 1)], Leer: [], April: april }),
    )
    await page.getByText('book.xlsx: one row').waitFor()
    assert.deepEqual(await page.getByLabel('Sheet of the file').locator('option').allTextContents(), ['März', 'April'])
    await page.getByLabel('Sheet of the file').selectOption('April')
    await page.getByText('book.xlsx: 2 rows').waitFor()
    await button(page, 'Check the file').click()
    await page.locator('#main').getByText('All 2 rows are valid.').waitFor()
  })

  it('reads a tax between fee and total as an amount, and warns if Mint computes a different total', async () => {
    const page = await running().open('#/import?kind=contracts')
    const file = [
      'Client,Description,Category,Fee,Tax,Total,Date',
      'École Montréal,Payroll,payroll,150.00,12.38,162.38,2026-05-31',
      'École Montréal,Payroll,payroll,80.00,0,80.00,2026-05-31',
    ]
    await choose(page, 'totals.csv', Buffer.from(file.join('\n')))
    await page.getByText('totals.csv: 2 rows').waitFor()
    assert.equal(await fieldOf(page, 'Tax').inputValue(), 'tax')
    await button(page, 'Check the file').click()
    await page.getByText('2 figures of the file differ from what Mint computes.').waitFor()
    assert.deepEqual(await rowsOf(page, 'Figures that differ from what Mint computes'), [
      ['Line', 'Figure', 'In the file', 'Mint computes'],
      ['2', 'Tax', '12.38', '0.00'],
      ['2', 'Total with tax', '162.38', '150.00'],
    ])
    await page.locator('#main').getByText('All 2 rows are valid.').waitFor()
  })

  it('asks about an empty tax as forms do, and shows that there is none if no column has it', async () => {
    const page = await running().open('#/import?kind=contracts')
    const file = (name: string) =>
      Buffer.from(
        `Client,Service name,Service type,Fee,${name}\nGarage Roy,Payroll,payroll,1,\nGarage Roy,Payroll,payroll,1,0`,
      )
    await choose(page, 'untaxed.csv', file('Notes'))
    const [, untaxed = []] = await rowsOf(page, 'The first rows as Mint reads them')
    assert.deepEqual(untaxed.slice(4), ['no tax', 'empty'])
    await choose(page, 'empty.csv', file('Tax'))
    await page.getByText('empty.csv: 2 rows').waitFor()
    assert.deepEqual(
      (await rowsOf(page, 'The first rows as Mint reads them')).slice(1).map((row) => row[4]),
      ['Is there no tax? Enter 0 for none.', '0'],
    )
    await button(page, 'Check the file').click()
    await page.getByText('One error.').first().waitFor()
    assert.deepEqual((await rowsOf(page, 'What is wrong')).slice(1), [
      ['2', 'Tax %', 'Is there no tax? Enter 0 for none.', 'Garage Roy,Payroll,payroll,1,'],
    ])
  })

  it('remembers the mapping of columns to fields for files with the same headings', async () => {
    const page = await running().open('#/import?kind=contracts')
    const file = (date: string) => Buffer.from(`Client,Foo,Bar,Fee,Date\nGarage Roy,Payroll,payroll,1,${date}\n`)
    await choose(page, 'one.csv', file('2026-01-01'))
    await fieldOf(page, 'Foo').selectOption('serviceName')
    await fieldOf(page, 'Bar').selectOption('serviceType')
    await button(page, 'Check the file').click()
    await page.locator('#main').getByText('The row is valid.').waitFor()
    await page.reload()
    await choose(page, 'two.csv', file('2026-02-01'))
    await page.getByText('two.csv: one row').waitFor()
    assert.deepEqual(
      [await fieldOf(page, 'Foo').inputValue(), await fieldOf(page, 'Bar').inputValue()],
      ['serviceName', 'serviceType'],
    )
  })

  it('asks whether cells formatted as percentages, which hold fractions of 1, are percentages', async () => {
    const page = await running().open('#/import?kind=contracts')
    const shares = [head.slice(0, 6), ['2026-06-30', 'Garage Roy', 'Payroll', 'payroll', 100, 0.19]]
    await choose(page, 'shares.xlsx', await workbook({ Juni: shares }))
    await page.getByText('Choose how to read MwSt. %').waitFor()
    const question = page.getByRole('group', { name: 'How MwSt. % is read' })
    assert.match(await question.innerText(), /in percent\s+0\.19 means 0\.19\s+as fractions of 1\s+0\.19 means 19\.00/)
    await question.getByLabel('as fractions of 1').check()
    const [, first = []] = await rowsOf(page, 'The first rows as Mint reads them')
    assert.equal(first[4], '19')
    await button(page, 'Check the file').click()
    await page.locator('#main').getByText('The row is valid.').waitFor()
  })

  it('doesn’t offer to create clients if the key may not', async () => {
    const { open, call } = running()
    const { body: key } = await call('POST', '/api-keys', { name: 'C', scopes: ['contracts:read', 'contracts:write'] })
    const page = await open('#/import?kind=contracts', { key: key.key })
    await choose(page, 'one.csv', Buffer.from('Client,Service name,Service type,Fee\nNobody,Payroll,payroll,1\n'))
    await button(page, 'Check the file').click()
    await page.getByText('One error.').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create this client' }).count(), 0)
  })

  it('warns of rows that another file has brought already, each as often as Mint has it', async () => {
    const page = await running().open('#/import?kind=contracts')
    const file = (days: readonly number[]) =>
      [
        'Client;Service name;Service type;Service fee;Tax %;Service date',
        ...days.map((day) => `école montréal;Export;payroll;1.0${day},50;13;${day}.05.2024`),
      ].join('\n')
    await chooseCsv(page, file([11, 12, 12, 13]))
    await button(page, 'Check the file').click()
    await button(page, 'Import 4 rows').click()
    await page.getByText('4 contracts created.').waitFor()
    await chooseCsv(page, file([10, 12, 12, 12, 13, 14]))
    await button(page, 'Check the file').click()
    await page.getByText('3 of 6 rows are already in Mint').waitFor()
    await page.getByText('delete their lines from the file, and choose it again: 3 · 4 · 6').waitFor()
    await chooseCsv(page, file([15]))
    await button(page, 'Check the file').click()
    await button(page, 'Import one row').waitFor()
    assert.equal(await page.getByText('already in Mint').count(), 0)
  })

  it('warns of taxes below 1% beside others, which may be cells formatted as percentages', async () => {
    const page = await running().open('#/import?kind=contracts')
    const file = (...taxes: readonly string[]) =>
      [
        'Client;Service name;Service type;Service fee;Tax %;Service date',
        ...taxes.map((tax) => `école montréal;Mixed;payroll;90;${tax};2026-05-13`),
      ].join('\n')
    await chooseCsv(page, file('19', '0,19', '0', '7'))
    await button(page, 'Check the file').click()
    await page.getByText('Some taxes are below 1%, and others aren’t.').waitFor()
    await page.getByText('in the file, and choose it again: 3', { exact: false }).waitFor()
    await chooseCsv(page, file('0,5', '0,7'))
    await page.getByLabel('in percent').check()
    await button(page, 'Check the file').click()
    await button(page, 'Import 2 rows').waitFor()
    assert.equal(await page.getByText('below 1%').count(), 0)
  })

  it('warns of days that are probably mistyped, as forms ask about them', async () => {
    const page = await running().open('#/import?kind=contracts')
    const file = (...days: readonly string[]) =>
      [
        'Client;Service name;Service type;Service fee;Tax %;Service date',
        ...days.map((day) => `école montréal;Far away;payroll;90;13;${day}`),
      ].join('\n')
    await chooseCsv(page, file('13.05.2026', '13.05.2206', '13.05.1826'))
    await button(page, 'Check the file').click()
    await page.getByText('Some service dates are before 1900, or more than ten years ahead.').waitFor()
    await page.getByText('choose it again: 3 · 4').waitFor()
    await button(page, 'Import 3 rows').waitFor()
    const table = await page.getByRole('table', { name: 'The first rows as Mint reads them' }).boundingBox()
    const warning = await page.getByText('Some service dates are').boundingBox()
    assert.ok(table && warning && warning.y - table.y - table.height > 24, 'the warning is apart from the table')
    await chooseCsv(page, file('13.05.2026', ''))
    await button(page, 'Check the file').click()
    await button(page, 'Import 2 rows').waitFor()
    assert.equal(await page.getByText('more than ten years ahead').count(), 0)
  })

  it('checks only the file chosen last, even if clients of another one were being created', async () => {
    const page = await running().open('#/import?kind=contracts')
    const file = (client: string) =>
      `Client,Service name,Service type,Service fee,Tax %,Service date\n${client},Pay,tax,1,0,2026-03-01\n`
    await chooseCsv(page, file('Pending'))
    await button(page, 'Check the file').click()
    const release = await holdRequests(page, /clients\?search=Pending/)
    const asked = page.waitForRequest(/clients\?search=Pending/)
    await button(page, 'Create this client').click()
    await asked
    await chooseCsv(page, file('École Montréal'))
    let checks = 0
    page.on('request', (request) => {
      if (request.url().includes('contracts.csv')) checks++
    })
    const answered = page.waitForResponse(/clients\?search=Pending/)
    release()
    await answered
    await button(page, 'Check the file').click()
    await page.locator('#main').getByText('The row is valid.').waitFor()
    assert.equal(checks, 1)
  })
})
