import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { mint as runCommand } from '../support/command-line.ts'
import { describeConsole, holdRequests } from '../support/console-browser.ts'
import { chooseCsv } from '../support/console-pages.ts'
import { textsIn } from '../support/console-texts.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

describeConsole('Importing CSV files in the console', (running) => {
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  const chooseBytes = async (page: Page, buffer: Buffer) =>
    await page.setInputFiles('#file', { name: 'some.csv', mimeType: 'text/csv', buffer })
  const total = async (path: string) => (await running().call('GET', path)).body.total
  const fieldOf = (page: Page, column: string) => page.getByLabel(`Field of column ${column}`)

  /** A file of contracts for a client that doesn't have to exist. */
  const contracts = (count: number) => {
    const row = (index: number) => `11111111-1111-1111-1111-111111111111,Service ${index},tax,1.5,"a ""note"""`
    return [
      'clientId,serviceName,serviceType,serviceFee,notes',
      ...Array.from({ length: count }, (_, n) => row(n)),
    ].join('\n')
  }

  it('maps columns to fields, checks the file, and creates a record for each row', async () => {
    const { call, open } = running()
    const page = await open('#/import?kind=businesses')
    await chooseCsv(page, 'Name;Phone no.;Colour\r\n"Garage ""Roy""; fils";514 555 0100;red\r\n<i>Café;;blue\r\n;;\r\n')
    await page.getByText('some.csv: 2 rows').waitFor()
    assert.equal(await fieldOf(page, 'Name').inputValue(), 'legalName')
    assert.equal(await fieldOf(page, 'Phone no.').inputValue(), 'phone')
    assert.equal(await fieldOf(page, 'Colour').inputValue(), '')
    await fieldOf(page, 'Colour').selectOption('Phone')
    await page.getByText('Two columns are mapped to Phone.').waitFor()
    assert.ok(await button(page, 'Check the file').isDisabled())
    await fieldOf(page, 'Colour').selectOption('Leave out')
    await button(page, 'Check the file').click()
    await page.locator('#main').getByText('All 2 rows are valid.').waitFor()
    assert.equal(await total('/businesses'), 0)
    await button(page, 'Import 2 rows').click()
    await page.getByText('2 businesses created.').waitFor()
    await page.getByRole('link', { name: 'Show the businesses' }).click()
    await page.getByRole('link', { name: '<i>Café' }).waitFor()
    const { businesses } = (await call('GET', '/businesses')).body
    assert.deepEqual(
      businesses.map(({ legalName, phone }: { legalName: string; phone: string }) => [legalName, phone]),
      [
        ['<i>Café', ''],
        ['Garage "Roy"; fils', '514 555 0100'],
      ],
    )
  })

  it('shows each error with the number and text of its line, and imports nothing', async () => {
    const page = await running().open('#/import')
    const good = 'Garage "Roy"; fils'.replaceAll('"', '""')
    const rows = [
      'Client,Service name,Service type,Fee,Date',
      `"${good}","Two\nlines",tax,10,2026-03-01`,
      'Nobody,Annual accounts,tax,10,2026-03-01',
      `"${good}",Annual accounts,tax,10`,
      `"${good}",Annual accounts,tax,ten,2026-02-30`,
    ]
    await chooseCsv(page, rows.join('\n'))
    await button(page, 'Check the file').click()
    await page.getByText('4 errors.').first().waitFor()
    const table = page.getByRole('table', { name: 'What is wrong in the file' })
    const shown = await table
      .getByRole('row')
      .evaluateAll((rows) =>
        rows.slice(1).map((row) => [...row.children].map((cell) => (cell.textContent ?? '').trim())),
      )
    assert.deepEqual(
      shown.map(([line, field, , text]) => [line, field, text]),
      [
        ['4', 'Client (name)', rows[2]],
        ['5', 'The whole row', rows[3]],
        ['6', 'Service fee', rows[4]],
        ['6', 'Service date', rows[4]],
      ],
    )
    assert.equal(await total('/contracts'), 0)
  })

  it('names the required fields without a column, and says why a file can’t be read', async () => {
    const page = await running().open('#/import')
    await chooseCsv(page, 'Service name\nAccounts\n')
    await page.getByText('No column is mapped to Client (name) or Client (id), Service type, Service fee.').waitFor()
    await chooseCsv(page, '\n')
    await page.getByText('The file is empty.').waitFor()
    await chooseBytes(page, Buffer.from('\ufeffa\nb', 'utf16le').swap16())
    await page.getByText('Not UTF-8.').waitFor()
  })

  it('reads a file as Excel saves “CSV” in German, and shows how', async () => {
    const page = await running().open('#/import?kind=businesses')
    const file = 'Name;Telefon\r\nB\xe4ckerei M\xfcller;0731 1\r\nBrasserie \x80uro;0731 2\r\n'
    await chooseBytes(page, Buffer.from(file, 'latin1'))
    await page.getByText('The file is not in UTF-8.').waitFor()
    await page.getByText('(Windows-1252): Bäckerei Müller.').waitFor()
    await button(page, 'Check the file').click()
    await button(page, 'Import 2 rows').click()
    await page.getByText('2 businesses created.').waitFor()
    const { businesses } = (await running().call('GET', '/businesses?limit=2')).body
    const names = businesses.map(({ legalName }: { legalName: string }) => legalName)
    assert.deepEqual(names, ['Brasserie €uro', 'Bäckerei Müller'])
    await chooseCsv(page, 'Name\nCafé Zoé\n')
    await page.getByText('The file is not in UTF-8.').waitFor({ state: 'detached' })
  })

  it('resumes with the same file after an interruption, whoever uploads it, and creates nothing twice', async () => {
    const { mint, open } = running()
    const path = join(newFolder(), 'many.csv')
    writeFileSync(path, contracts(2_500))
    const send = async () =>
      (await runCommand(['import-csv', 'contracts', path], { MINT_URL: mint.url, MINT_API_KEY: mint.key })).output
    const page = await open('#/import')
    await chooseCsv(page, contracts(2_500), 'many.csv')
    await button(page, 'Check the file').click()
    await page.locator('#main').getByText('All 2,500 rows are valid.').waitFor()
    let written = 0
    // The third request fails.
    await page.route(/contracts\.csv$/, async (route) => (++written <= 2 ? await route.continue() : undefined))
    await button(page, 'Import 2,500 rows').click()
    await page.getByText('Importing: 1,001 of 2,500 rows').waitFor()
    await button(page, 'Stop').click()
    await page.getByText('Stopped. Imported so far: 1,001 rows of the file, perhaps some more.').waitFor()
    assert.equal(await total('/contracts'), 1_001)

    const later = await open('#/import')
    await chooseCsv(later, contracts(2_500), 'renamed.csv')
    await button(later, 'Check the file').click()
    await later.getByText('An earlier attempt has already imported 1,001 rows').waitFor()
    assert.equal(await send(), 'Created 1499 contracts; 1001 were there from an earlier run of the same import.\n')
    await chooseCsv(later, contracts(2_500))
    await button(later, 'Check the file').click()
    await later.getByText('All 2,500 rows of this file have already been imported.').waitFor()
    assert.equal(await send(), 'Created 0 contracts; 2500 were there from an earlier run of the same import.\n')
    assert.equal(await total('/contracts'), 2_500)
  })

  it('refuses to import the same file again with other columns', async () => {
    const page = await running().open('#/import')
    await chooseCsv(page, contracts(2_500))
    await fieldOf(page, 'notes').selectOption('Leave out')
    await button(page, 'Check the file').click()
    await page.getByText('with other columns chosen').waitFor()
    assert.equal(await total('/contracts'), 2_500)
  })

  it('accepts a file chosen with the keyboard or dropped on the page', async () => {
    const page = await running().open('#/import')
    const chooser = page.waitForEvent('filechooser')
    await page.getByLabel('CSV file').press('Enter')
    await (await chooser).setFiles({ name: 'typed.csv', mimeType: 'text/csv', buffer: Buffer.from(contracts(1)) })
    await page.getByText('typed.csv: one row').waitFor()
    const dropped = join(newFolder(), 'dropped.csv')
    const { x = 0, y = 0 } = (await page.getByLabel('CSV file').boundingBox()) ?? {}
    const session = await page.context().newCDPSession(page)
    const drop = async (text: string) => {
      writeFileSync(dropped, text)
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        const data = { items: [], files: [dropped], dragOperationsMask: 1 }
        await session.send('Input.dispatchDragEvent', { type, x: x + 5, y: y + 5, data })
      }
    }
    await drop('legalName\nGarage')
    await page.getByText('dropped.csv: one row').waitFor()
    await drop('legalName\nGarage\nCafé')
    await page.getByText('dropped.csv: 2 rows').waitFor()
  })

  it('leads with the keyboard from the check to its outcome, and on', async () => {
    const page = await running().open('#/import')
    await chooseCsv(page, contracts(2))
    await button(page, 'Check the file').press('Enter')
    const focused = async (text: string) =>
      await waitFor(async () => String(await page.evaluate('document.activeElement.textContent')).includes(text))
    await focused('All 2 rows are valid.')
    assert.equal(await page.evaluate('document.activeElement.className'), 'outcome')
    await page.keyboard.press('Tab')
    await focused('Import 2 rows')
    await page.keyboard.press('Enter')
    await focused('2 contracts created.')
    assert.equal(await page.evaluate('document.activeElement.className'), 'outcome')
  })

  it('warns before leaving the page during an import', async () => {
    const page = await running().open('#/import')
    await chooseCsv(page, contracts(3))
    await page.route(/contracts\.csv/, () => undefined)
    await button(page, 'Check the file').click()
    await button(page, 'Stop').waitFor()
    const asked = page.waitForEvent('dialog')
    const clicked = page.getByRole('link', { name: 'Closing' }).click()
    const dialog = await asked
    await dialog.dismiss()
    await clicked
    await waitFor(() => page.url().endsWith('#/import'))
    // Choosing another date for the console doesn't interrupt it.
    await page.evaluate("location.hash = '#/import?asOf=2026-03-31'")
    await page.getByText('as it stood').waitFor()
    await button(page, 'Stop').click()
    await page.getByText('Nothing was imported.').waitFor()
  })

  it('warns against resuming with another key, which would import rows twice', async () => {
    const { call, open, mint } = running()
    const before = await total('/contracts')
    const scopes = ['contracts:read', 'contracts:write', 'clients:read']
    const { body: key } = await call('POST', '/api-keys', { name: 'Importer', scopes })
    const page = await open('#/import', { key: key.key })
    await chooseCsv(page, contracts(1_200).replaceAll('tax', 'other'), 'interrupted.csv')
    await button(page, 'Check the file').click()
    await page.locator('#main').getByText('All 1,200 rows are valid.').waitFor()
    let written = 0
    const held = Promise.withResolvers<void>()
    await page.route(/contracts\.csv$/, async (route) => {
      if (++written > 2) await held.promise
      await route.continue().catch(() => undefined)
    })
    await button(page, 'Import 1,200 rows').click()
    await page.getByText('Importing: 1,001 of 1,200 rows').waitFor()
    await call('DELETE', `/api-keys/${key.id}`)
    const isRefused = async () =>
      (await call('GET', '/closing', undefined, { authorization: `Bearer ${key.key}` })).status === 401
    await waitFor(isRefused)
    held.resolve()
    await page.getByText('Mint no longer accepts your API key').waitFor()
    await page.getByLabel('API key').fill(mint.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Resume only with the same API key').waitFor()
    assert.equal(await total('/contracts'), before + 1_001)
  })

  it('tells the user to resume with the same file if the books are closed during the import, even on a second check', async () => {
    const { call, open } = running()
    const before = await total('/contracts')
    const scopes = ['contracts:read', 'contracts:write', 'clients:read']
    const { body: key } = await call('POST', '/api-keys', { name: 'Closed out', scopes })
    const page = await open('#/import', { key: key.key })
    const check = async () => {
      await chooseCsv(page, contracts(3).replaceAll('tax', 'closed'), 'closed.csv')
      await button(page, 'Check the file').click()
    }
    await check()
    await page.locator('#main').getByText('All 3 rows are valid.').waitFor()
    const release = await holdRequests(page, /contracts\.csv$/)
    let sent = 0
    await page.route(/contracts\.csv$/, async (route) => (++sent > 1 ? await route.fallback() : await route.continue()))
    await button(page, 'Import 3 rows').click()
    await page.getByText('Importing: 1 of 3 rows').waitFor()
    await call('PUT', '/closing', { closedThrough: '2099-12-31', reason: 'March is filed.' })
    release()
    await page.getByText('Imported so far: one row of the file. Don’t change the file').waitFor()
    await check()
    await page.getByText('Imported so far: one row of the file. Don’t change the file').waitFor()
    await call('PUT', '/closing', { closedThrough: null, reason: 'over' })
    await check()
    await button(page, 'Import 2 rows').click()
    await page.getByText('2 contracts created. 1 was imported before.').waitFor()
    assert.equal(await total('/contracts'), before + 3)
  })

  it('asks users who may import into a closed period for a reason, which those contracts’ history shows', async () => {
    const { call, open } = running()
    await call('PUT', '/closing', { closedThrough: '2026-01-31', reason: 'January is filed.' })
    const row = '11111111-1111-1111-1111-111111111111,Annual accounts,shoebox,1'
    const file = `clientId,serviceName,serviceType,serviceFee,serviceDate\n${row},2026-01-31\n${row},2026-02-01\n`
    const reason = (page: Page) => page.getByLabel('Reason for importing anyway')
    const check = async (page: Page) => {
      await chooseCsv(page, file)
      await button(page, 'Check the file').click()
      await page.getByText('One error.').first().waitFor()
      await page.getByText('The books are closed for the service date.').waitFor()
      assert.equal(await page.getByText('Closing-Override').count(), 0)
    }
    const scopes = ['contracts:read', 'contracts:write', 'clients:read']
    const { body: key } = await call('POST', '/api-keys', { name: 'May not', scopes })
    const other = await open('#/import?kind=contracts', { key: key.key })
    await check(other)
    assert.equal(await reason(other).count(), 0)

    const page = await open('#/import?kind=contracts')
    await check(page)
    await reason(page).fill(' Aus dem “Schuhkarton”, 100 % ')
    await button(page, 'Check the file').click()
    await page.locator('#main').getByText('All 2 rows are valid.').waitFor()
    await button(page, 'Import 2 rows').click()
    await page.getByText('2 contracts created.').waitFor()
    const { contracts } = (await call('GET', '/contracts?serviceType=shoebox')).body
    const reasons: Record<string, string | null> = {}
    for (const { id, serviceDate } of contracts) {
      const { events } = (await call('GET', `/contracts/${id}/history`)).body
      reasons[serviceDate.slice(0, 10)] = events[0].overrideReason
    }
    assert.deepEqual(reasons, { '2026-01-31': 'Aus dem “Schuhkarton”, 100 %', '2026-02-01': null })
    await call('PUT', '/closing', { closedThrough: null, reason: 'over' })
  })

  const columns = {
    Kunde: 'clientId',
    Leistung: 'serviceName',
    Art: 'serviceType',
    Honorar: 'serviceFee',
    Datum: 'serviceDate',
  }
  const chooseGerman = async (page: Page, type: string, rows: readonly string[], { text } = textsIn('en')) => {
    const row = `11111111-1111-1111-1111-111111111111;Jahresabschluß;${type}`
    await chooseCsv(
      page,
      `\uFEFFKunde;Leistung;Art;Honorar;Datum\r\n${rows.map((cells) => `${row};${cells}\r\n`).join('')}`,
    )
    for (const [column, name] of Object.entries(columns))
      await page.getByLabel(text('import.fieldOf', { name: column })).selectOption(name)
  }
  const imported = async (type: string) =>
    (await running().call('GET', `/contracts?serviceType=${type}`)).body.contracts.map(
      ({ serviceFee, serviceDate }: Record<string, unknown>) => [serviceFee, String(serviceDate).slice(0, 10)],
    )

  it('asks how to read an ambiguous column, showing both readings, before anything is checked', async () => {
    const page = await running().open('#/import?kind=contracts')
    await chooseGerman(page, 'asked', ['1.000;31.12.2025', '2.500;31.12.2025', '7;31.12.2025'])
    const question = page.getByRole('group', { name: 'How Honorar is read' })
    const [comma, point] = [question.getByLabel('with a decimal comma'), question.getByLabel('with a decimal point')]
    assert.match(await question.innerText(), /with a decimal point\s+1\.000 means 1\.00\s+2\.500 means 2\.50/)
    assert.match(await question.innerText(), /with a decimal comma\s+1\.000 means 1,000\.00\s+2\.500 means 2,500\.00/)
    await page.getByText('Choose how to read Honorar').waitFor()
    assert.deepEqual([await comma.isChecked(), await point.isChecked()], [false, false])
    assert.ok(await button(page, 'Check the file').isDisabled())
    await comma.check()
    await button(page, 'Check the file').click()
    await button(page, 'Import 3 rows').click()
    await page.getByText('3 contracts created.').waitFor()
    const fees = (await imported('asked')).map(([fee]: readonly unknown[]) => fee)
    assert.deepEqual(fees, [7, 2500, 1000])
  })

  it('reads an ambiguous column by German conventions in a German browser', async () => {
    const texts = textsIn('de-DE')
    const { text } = texts
    const page = await running().open('#/import?kind=contracts', { locale: 'de-DE' })
    await chooseGerman(page, 'german', ['1.000;31.12.2025', '2.500;31.12.2025'], texts)
    const question = page.getByRole('group', { name: text('import.howRead', { name: 'Honorar' }) })
    assert.ok(await question.getByLabel(text('import.spelling.,')).isChecked())
    await button(page, text('import.check')).click()
    await button(page, text('import.importRows', { count: 2 })).click()
    await page.getByText(text('import.created.contracts', { count: 2 })).waitFor()
    assert.deepEqual(await imported('german'), [
      [2500, '2025-12-31'],
      [1000, '2025-12-31'],
    ])
  })
})
