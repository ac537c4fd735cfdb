import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { createClients } from '../support/clients.ts'
import { describeConsole, holdRequests } from '../support/console-browser.ts'
import { nextFrame } from '../support/console-pages.ts'
import { aNewContract, create, importContracts } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

const LARGE_TOTAL = `document.querySelector('.entries td.total data').textContent = '-12.962.962,86 €'`

/** The fee and the total, if the column has no room for them. */
const CUT_OFF = `[...document.querySelectorAll('[id$=serviceFee], td.total')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((one) => one.outerHTML)`

describeConsole('Entering several contracts in the console', (running) => {
  const cell = (page: Page, row: number, label: string) => page.getByLabel(`${label}, row ${row}`, { exact: true })
  const createContract = (changes: object) => create(running().call, '/contracts', aNewContract(changes))
  const ofClient = async (clientId: string) =>
    (await running().call('GET', `/contracts?clientId=${clientId}&limit=100`)).body.contracts
  const pasteInto = async (page: Page, row: number, label: string, text: string, html = '') => {
    await cell(page, row, label).focus()
    await page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ${JSON.stringify(text)})
      clipboardData.setData('text/html', ${JSON.stringify(html)})
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }`)
  }
  const saved = async (page: Page, text: string) => {
    await page.getByRole('button', { name: 'Save all' }).click()
    await page.getByText(text).waitFor()
  }

  it('takes ten ordinary services in at most 150 keystrokes, without the mouse', async () => {
    const names = ['Garage Roy', 'Épicerie Côté', 'Lighthouse Books', 'Nordwind Café', 'Ashford Farm']
    const ids = await createClients(running().call, ...names)
    const usual = { serviceType: 'Payroll', serviceFee: 150, taxPercent: 13, serviceDate: '2026-02-15' }
    for (const clientId of ids) {
      await createContract({ ...usual, clientId, serviceName: 'Payroll run' })
      const filing = { clientId, serviceName: 'Sales tax return', serviceType: 'Tax-Filing', serviceFee: '80' }
      await createContract({ ...usual, ...filing, serviceFee: 80 })
    }
    const page = await running().open('#/contracts')
    await page.getByRole('link', { name: 'Enter several' }).waitFor()
    let strokes = 0
    const press = async (key: string) => {
      strokes++
      await page.keyboard.press(key)
    }
    const focused = async (label: string, row: number) =>
      await waitFor(
        async () => (await page.evaluate('document.activeElement.labels?.[0]?.textContent')) === `${label}, row ${row}`,
      )
    await press('g')
    await cell(page, 1, 'Client').waitFor()
    await focused('Client', 1)
    const typed = ['roy', 'cot', 'lig', 'nor', 'ash'].flatMap((client, index) =>
      ['pay', 'sal'].map((service) => ({ client, service, name: names[index] ?? '' })),
    )
    for (const [index, { client, service, name }] of typed.entries()) {
      const row = index + 1
      for (const key of client) await press(key)
      await page.getByRole('option', { name }).waitFor()
      await press('Enter')
      await waitFor(async () => (await cell(page, row, 'Client').inputValue()) === name)
      await press('Enter')
      await focused('Service name', row)
      // Nothing is auto-completed until the client's services are loaded.
      await waitFor(async () => await page.evaluate('document.activeElement.list !== null'))
      for (const key of service) await press(key)
      await waitFor(async () => (await cell(page, row, 'Service type').inputValue()) !== '')
      for (const next of ['Service type', 'Service fee', 'Tax %']) {
        await press('Enter')
        await focused(next, row)
      }
      await press('Enter')
      await focused('Client', row + 1)
    }
    await press('Control+Enter')
    await page.getByText('10 contracts created.').waitFor()
    assert.ok(strokes <= 150, `${strokes} keystrokes`)
    for (const clientId of ids) {
      const services = (await ofClient(clientId)) as { serviceName: string; serviceFee: number; taxPercent: number }[]
      const shown = services.map(({ serviceName, serviceFee, taxPercent }) => [serviceName, serviceFee, taxPercent])
      assert.equal(shown.length, 4)
      assert.deepEqual(
        new Set(shown.slice(0, 2).map(String)),
        new Set(['Payroll run,150,13', 'Sales tax return,80,13']),
      )
    }
  })

  it('repeats a month for 40 clients in at most 10 clicks, with dates advanced, for correction', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `Monthly client ${index}`)
    const ids = await createClients(running().call, ...names)
    for (const clientId of ids) await createContract({ clientId, serviceDate: '2026-01-31' })
    const wrong = { clientId: ids[0], serviceName: 'Wrong', serviceFee: 10, serviceDate: '2026-01-31' }
    const { id } = await createContract(wrong)
    await createContract({ ...wrong, serviceFee: -10, notes: `Credit for contract ${id}` })
    const page = await running().open('#/contracts')
    await page.clock.setFixedTime('2026-02-20T12:00:00Z')
    let clicks = 0
    const click = async (role: 'button' | 'link', name: string) => {
      clicks++
      await page.getByRole(role, { name }).click()
    }
    await click('link', 'Enter several')
    await click('button', 'Add its services')
    await page.getByText('The services of January 2026 are added').waitFor()
    await page.getByText('40 services.').waitFor()
    assert.equal(await cell(page, 40, 'Service date').inputValue(), '2026-02-28')
    await cell(page, 1, 'Service fee').fill('1')
    await click('button', 'Save all')
    await page.getByText('40 contracts created.').waitFor()
    assert.ok(clicks <= 10, `${clicks} clicks`)
    const { body } = await running().call(
      'GET',
      '/contracts?serviceDateFrom=2026-02-28&serviceDateTo=2026-02-28&limit=100',
    )
    assert.equal(body.total, 40)
    assert.equal(body.contracts.filter(({ serviceFee }: { serviceFee: number }) => serviceFee === 1).length, 1)
    await page.getByRole('link', { name: 'Enter several' }).click()
    await page.getByRole('button', { name: 'Add its services' }).click()
    await page.getByText('40 services are already in February 2026, and aren’t added again.').waitFor()
    await page.getByText(/^0 services\./).waitFor()
  })

  it('repeats the month of individual clients, one after another', async () => {
    const [one = '', other = ''] = await createClients(running().call, 'Some One', 'Some Other')
    for (const clientId of [one, other]) await createContract({ clientId, serviceDate: '2026-03-05' })
    const page = await running().open('#/contracts/several')
    await page.getByRole('combobox', { name: 'Month' }).selectOption('2026-03')
    await page.getByRole('combobox', { name: 'Client (all if empty)' }).fill('some other')
    await page.getByRole('option', { name: 'Some Other' }).click()
    await page.getByRole('button', { name: 'Add its services' }).click()
    await page.getByText('One service.').waitFor()
    await page.getByRole('button', { name: 'Add its services' }).click()
    await page.getByText('One service is already in April 2026, and isn’t added again.').waitFor()
    await saved(page, 'One contract created.')
    assert.deepEqual([(await ofClient(one)).length, (await ofClient(other)).length], [1, 2])
  })

  it('repeats at most 300 services at once, and otherwise asks the user to choose a client', async () => {
    const [clientId = ''] = await createClients(running().call, 'One of many')
    const other = '11111111-1111-1111-1111-111111111111'
    const row = (client: string) => `${client},Bulk,bulk,1,0,2026-05-04`
    const file = ['clientId,serviceName,serviceType,serviceFee,taxPercent,serviceDate', row(clientId)]
    file.push(...Array.from({ length: 300 }, () => row(other)))
    await importContracts(running().call, file)
    const page = await running().open('#/contracts/several')
    await page.getByRole('combobox', { name: 'Month' }).selectOption('2026-05')
    await page.getByRole('button', { name: 'Add its services' }).click()
    await page.getByText('May 2026 has 301 services, too many to repeat at once. Choose a client.').waitFor()
    await page.getByText(/^0 services\./).waitFor()
    await page.getByRole('combobox', { name: 'Client (all if empty)' }).fill('one of many')
    await page.getByRole('option', { name: 'One of many' }).click()
    await page.getByRole('button', { name: 'Add its services' }).click()
    await page.getByText('One service.').waitFor()
  })

  it('shows what is billed, the sum of all rows too, and the exact amount only where it differs', async () => {
    const page = await running().open('#/contracts/several')
    await pasteInto(page, 1, 'Service name', 'One\tType\t10.1\t5\nOther\tType\t10.1\t5\nRound\tType\t12345678.91\t0')
    await page.getByText('3 services. Fees 12,345,699.11, with tax 12,345,700.13').waitFor()
    const totals = page.locator('.entries td.total')
    assert.deepEqual(await totals.allInnerTexts(), ['10.61', '10.61', '12,345,678.91', ''])
    assert.deepEqual(await totals.locator('.exact-figure').allTextContents(), ['exactly 10.605', 'exactly 10.605'])
    await page.locator('.grid-end summary').click()
    await page.getByText('exactly 12,345,700.12').waitFor()
  })

  it('has room for fees and totals in the millions on a laptop', async () => {
    const page = await running().open('#/contracts/several', { viewport: { width: 1280, height: 800 } })
    await pasteInto(page, 1, 'Service name', 'Large\tType\t-12345678.91\t5')
    await page.getByText('-12,962,962.86').first().waitFor()
    await page.evaluate(LARGE_TOTAL)
    assert.deepEqual(await page.evaluate(CUT_OFF), [])
  })

  it('accepts cells pasted from a spreadsheet, matches clients by part of their names, and asks if several match', async () => {
    const [east = '', west = ''] = await createClients(running().call, 'Paste & Co. East', 'Paste & Co. West')
    const page = await running().open('#/contracts/several')
    const rows = ['Client ID\tService name\tService type\tService fee\tTax %\tService date']
    rows.push('co. east\tPasted\tPasting\t$1,234.50\t8.25\t31/03/2026', 'paste\tPasted\tpasting\t2\t0\t01/04/2026')
    await pasteInto(page, 1, 'Client', rows.join('\n'))
    await page.getByText('2 services. Fees 1,236.50, with tax 1,338.35 exactly 1,338.34625').waitFor()
    await waitFor(async () => (await cell(page, 1, 'Client').inputValue()) === 'Paste & Co. East')
    await page.getByRole('button', { name: 'Save all' }).click()
    await page.getByText('Nothing was saved: the marked cells need correcting.').waitFor()
    assert.equal(await page.evaluate('document.activeElement.labels[0].textContent'), 'Client, row 2')
    assert.equal(await cell(page, 2, 'Client').inputValue(), 'paste')
    await cell(page, 2, 'Client').fill('paste')
    // Even before an answer has arrived.
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'Choose a client from the list.' }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.labels[0].textContent'), 'Client, row 2')
    await page.getByRole('button', { name: 'Save all' }).click()
    await page.locator('.field-problem', { hasText: 'Choose a client from the list.' }).waitFor()
    await cell(page, 2, 'Client').fill('west')
    await page.getByRole('option', { name: 'Paste & Co. West' }).click()
    await saved(page, '2 contracts created.')
    const [{ serviceFee, taxPercent, serviceDate }] = await ofClient(east)
    assert.deepEqual([serviceFee, taxPercent, serviceDate], [1234.5, 8.25, '2026-03-31T00:00:00.000Z'])
    assert.equal((await ofClient(west))[0].serviceDate, '2026-04-01T00:00:00.000Z')
  })

  it('proposes the usual fee and tax of a client that was pasted by its id', async () => {
    const [clientId = ''] = await createClients(running().call, 'Pasted by id')
    await createContract({ clientId, serviceName: 'Payroll run', serviceFee: 150, taxPercent: 13 })
    const page = await running().open('#/contracts/several')
    await pasteInto(page, 1, 'Client', `${clientId.toUpperCase()}\tPayroll run`)
    await waitFor(async () => (await cell(page, 1, 'Service fee').inputValue()) === '150')
    await waitFor(async () => (await cell(page, 1, 'Client').inputValue()) === 'Pasted by id')
  })

  it('shows the client of a pasted row, whatever was being typed there', async () => {
    await createClients(running().call, 'Pasted over')
    const page = await running().open('#/contracts/several')
    await cell(page, 1, 'Client').fill('wha')
    await pasteInto(page, 1, 'Client', 'pasted ov\tA')
    await waitFor(async () => (await cell(page, 1, 'Client').inputValue()) === 'Pasted over')
    assert.equal(await cell(page, 1, 'Service name').inputValue(), 'A')
  })

  it('marks errors at their cells, whether the page or Mint finds them, and writes nothing until all are fixed', async () => {
    const [clientId = ''] = await createClients(running().call, 'Wrong cells')
    await running().call('PUT', '/closing', { closedThrough: '2025-12-31', reason: 'The year is filed.' })
    const page = await running().open('#/contracts/several')
    await pasteInto(page, 1, 'Client', 'wrong cells\tA\tx\tten\t\t2026-01-15\nnobody at all\tB\tx\t1\t0\t2025-06-30')
    await page.getByText('Not a number. Write it like 1,234.50.').waitFor()
    await page.getByRole('button', { name: 'Save all' }).click()
    await page.getByText('Is there no tax? Enter 0 for none.').waitFor()
    assert.equal(await cell(page, 3, 'Client').getAttribute('aria-invalid'), 'false')
    await cell(page, 1, 'Service fee').fill('10')
    await cell(page, 1, 'Tax %').fill('0')
    await page.getByRole('button', { name: 'Save all' }).click()
    await waitFor(async () => (await cell(page, 2, 'Client').getAttribute('aria-invalid')) === 'true')
    await cell(page, 2, 'Client').fill('wrong')
    await page.getByRole('option', { name: 'Wrong cells' }).click()
    await page.getByRole('button', { name: 'Save all' }).click()
    await page.getByText('The books are closed for the service date.').waitFor()
    assert.equal(await cell(page, 2, 'Service date').getAttribute('aria-invalid'), 'true')
    assert.deepEqual(await ofClient(clientId), [])
    await page.getByLabel('Reason for saving in a closed period').fill('Found late')
    await saved(page, '2 contracts created.')
    assert.equal((await ofClient(clientId)).length, 2)
  })

  it('saves rows once, however often the user clicks until an answer arrives', async () => {
    const [clientId = ''] = await createClients(running().call, 'Saved once')
    const page = await running().open('#/contracts/several')
    const release = await holdRequests(page, '**/clients?search=saved*')
    await pasteInto(page, 1, 'Client', 'saved once\tA\tx\t1\t0\nsaved once\tA\tx\t1\t0')
    await page.clock.install()
    await page.route(/contracts\.csv$/, async (route) => {
      await route.fetch()
      await route.abort()
    })
    const save = page.getByRole('button', { name: 'Save all' })
    await save.dblclick()
    await waitFor(async () => {
      await page.clock.runFor(30_000)
      return await page.getByText('nothing is saved twice').isVisible()
    })
    assert.ok(await cell(page, 1, 'Client').isDisabled())
    assert.ok(await page.getByRole('button', { name: 'Add its services' }).isDisabled())
    release()
    await waitFor(async () => (await cell(page, 2, 'Client').inputValue()) === 'Saved once')
    // Other rows would be written besides these, so they stay as they were sent until an answer arrives.
    await page.route(/contracts\.csv/, (route) => route.abort())
    await save.click()
    await waitFor(async () => {
      await page.clock.runFor(30_000)
      // isEnabled alone waits for the button, while the clock stands still.
      return (await save.isVisible()) && (await save.isEnabled())
    })
    assert.ok(await cell(page, 1, 'Client').isDisabled())
    await page.unrouteAll()
    await save.click()
    await page.getByText('2 contracts created.').waitFor()
    assert.equal((await ofClient(clientId)).length, 2)
  })

  it('saves rows whose client is found only while Mint checks them by the pasted name', async () => {
    const [clientId = ''] = await createClients(running().call, 'Found while saving')
    const page = await running().open('#/contracts/several')
    const find = await holdRequests(page, '**/clients?search=found*')
    await pasteInto(page, 1, 'Client', 'found while\tA\tx\t1\t0')
    const [checked, found] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(/contracts\.csv/, async (route) => {
      const response = await route.fetch()
      checked.resolve()
      await found.promise
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Save all' }).click()
    await checked.promise
    find()
    await waitFor(async () => (await cell(page, 1, 'Client').inputValue()) === 'Found while saving')
    found.resolve()
    await page.getByText('One contract created.').waitFor()
    assert.equal((await ofClient(clientId)).length, 1)
  })

  it('keeps all rows as they were sent where only some are saved, as nothing says which, and saves the rest', async () => {
    const [clientId = ''] = await createClients(running().call, 'Saved in part')
    const page = await running().open('#/contracts/several')
    const pasted = ['First', 'Closed', 'Last'].map((name) => `${clientId}\t${name}\tx\t1\t0`)
    await pasteInto(page, 1, 'Client', pasted.join('\n'))
    await page.route(/contracts\.csv$/, async (route) => {
      await route.fetch()
      const errors = [{ in: 'body', line: 3, pointer: '/serviceDate', code: 'period_closed', message: 'Closed.' }]
      const problem = { code: 'validation_failed', errors, written: 2 }
      await route.fulfill({ status: 400, contentType: 'application/problem+json', json: problem })
    })
    const save = page.getByRole('button', { name: 'Save all' })
    await save.click()
    await page.getByText('2 of these contracts are saved').waitFor()
    assert.equal(await cell(page, 2, 'Service name').inputValue(), 'Closed')
    assert.equal(await cell(page, 2, 'Service date').getAttribute('aria-invalid'), 'true')
    assert.ok(await cell(page, 3, 'Service name').isDisabled())
    await page.unrouteAll()
    await saved(page, '3 contracts created.')
    assert.equal((await ofClient(clientId)).length, 3)
  })

  it('fills in the only matching client once it is found, even if Enter was pressed earlier', async () => {
    await createClients(running().call, 'Quayside Yachts')
    const page = await running().open('#/contracts/several')
    await cell(page, 1, 'Client').focus()
    for (const key of 'quay') await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await waitFor(async () => (await cell(page, 1, 'Client').inputValue()) === 'Quayside Yachts')
  })

  it('shows pasted notes line by line, and saves them as they are', async () => {
    const [clientId = ''] = await createClients(running().call, 'Notary Lindqvist')
    const page = await running().open('#/contracts/several')
    await pasteInto(page, 1, 'Client', 'Notary Lindqvist\tDeed\tlegal\t90\t13\t2026-03-02\t"First\nsecond"')
    const notes = cell(page, 1, 'Notes')
    await waitFor(async () => (await notes.inputValue()) === 'First\nsecond')
    await notes.press('End')
    await notes.press('ArrowDown')
    await notes.press('End')
    await notes.press('Shift+Enter')
    await page.keyboard.type('third')
    await saved(page, 'One contract created.')
    assert.deepEqual(
      (await ofClient(clientId)).map(({ notes }: { notes: string }) => notes),
      ['First\nsecond\nthird'],
    )
  })

  it('keeps pasted lines in the note, unless a spreadsheet copied them as cells', async () => {
    const page = await running().open('#/contracts/several')
    const notes = (row: number) => cell(page, row, 'Notes')
    await notes(1).fill('First\nsecond')
    await notes(1).press('ControlOrMeta+a')
    await notes(1).press('ControlOrMeta+x')
    await notes(1).press('ControlOrMeta+v')
    assert.equal(await notes(1).inputValue(), 'First\nsecond')
    await pasteInto(page, 1, 'Notes', 'One\nTwo', '<table><tr><td>One</td></tr><tr><td>Two</td></tr></table>')
    assert.deepEqual([await notes(1).inputValue(), await notes(2).inputValue()], ['One', 'Two'])
    await notes(1).fill('')
    await notes(2).fill('')
  })

  it('asks once about taxes that may be fractions and about unusual days', async () => {
    const [clientId = ''] = await createClients(running().call, 'Fraction Bakery')
    const page = await running().open('#/contracts/several')
    const row = (tax: string, day: string) => `Fraction Bakery\tPayroll\tpayroll\t100\t${tax}\t${day}`
    const release = await holdRequests(page, /clients/)
    await pasteInto(
      page,
      1,
      'Client',
      [row('0.19', '2026-03-02'), row('0.5', '2026-03-02'), row('13', '2062-03-02')].join('\n'),
    )
    await page.getByText('3 services.').waitFor()
    // Asks even while the clients of pasted rows are still being found, and goes on asking once they are.
    await page.getByRole('button', { name: 'Save all' }).click()
    await page.getByText('0.19% or 19%?').waitFor()
    const found = page.waitForResponse(/clients/)
    release()
    await (await found).finished()
    await nextFrame(page)
    await nextFrame(page)
    await page.getByText('0.19% or 19%?').waitFor()
    await page.getByText('0.5% or 50%?').waitFor()
    await page.getByText('Is Mar 2, 2062 right?').waitFor()
    await cell(page, 1, 'Tax %').fill('19')
    await saved(page, '3 contracts created.')
    const taxes = (await ofClient(clientId)).map(({ taxPercent }: { taxPercent: number }) => taxPercent)
    assert.deepEqual(new Set(taxes), new Set([19, 0.5, 13]))
  })

  it('knows the clients of pasted rows from one request for each name', async () => {
    const names = ['Paste Atelier', 'Paste Brasserie', 'Paste Clinic']
    await createClients(running().call, ...names)
    const page = await running().open('#/contracts/several')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const rows = ['atelier', 'brasserie', 'clinic', 'clinic'].map((name) => `${name}\tPayroll\tpayroll\t10\t13`)
    await pasteInto(page, 1, 'Client', rows.join('\n'))
    for (const [index, name] of [...names, 'Paste Clinic'].entries()) {
      await waitFor(async () => (await cell(page, index + 1, 'Client').inputValue()) === name)
    }
    await nextFrame(page)
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/clients')),
      ['/clients', '/clients', '/clients'],
    )
  })

  it('asks before discarding rows', async () => {
    const page = await running().open('#/contracts/several')
    await cell(page, 1, 'Notes').fill('Not saved')
    let question = ''
    page.once('dialog', async (dialog) => {
      question = dialog.message()
      await dialog.dismiss()
    })
    await page.keyboard.press('Escape')
    await waitFor(() => question !== '')
    assert.equal(await cell(page, 1, 'Notes').inputValue(), 'Not saved')
  })

  it('is never wider than the page', async () => {
    const page = await running().open('#/contracts/several')
    await pasteInto(page, 1, 'Client', 'Somebody\tPayroll run\tpayroll\t1,234,567.89\ttax\t11/15/26')
    await page.getByText('isn’t a date').waitFor()
    // Its headings are longer.
    const french = await running().open('#/contracts/several', { locale: 'fr-FR' })
    await french.getByRole('heading', { name: 'Saisir plusieurs prestations' }).waitFor()
    for (const one of [page, french]) {
      for (const width of [320, 640, 641, 700, 768, 960, 961, 1279]) {
        await one.setViewportSize({ width, height: 800 })
        assert.equal(await one.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, `${width}`)
      }
    }
  })

  it('renders only the rows in view, so that typing among many stays quick', async () => {
    const page = await running().open('#/contracts/several')
    await pasteInto(page, 1, 'Service name', 'Payroll run\n'.repeat(300))
    await page.getByText(/^300 services\./).waitFor()
    const isRendered = async (row: number): Promise<boolean> => {
      const id = await cell(page, row, 'Service name').getAttribute('id')
      return await page.evaluate(`document.getElementById('${id}').checkVisibility({ contentVisibilityAuto: true })`)
    }
    await waitFor(async () => (await isRendered(1)) && !(await isRendered(300)))
    await cell(page, 300, 'Service name').focus()
    await waitFor(async () => (await isRendered(300)) && !(await isRendered(1)))
  })

  it('shows names and amounts of common lengths in full on a screen of 1,280 pixels, also in German', async () => {
    for (const [locale, cells] of [
      ['en-US', { 'Client, row 1': 'Lighthouse Furniture Ltd.', 'Service name, row 1': 'Annual tax return' }],
      ['de-DE', { 'Honorar, Zeile 1': '12345,67' }],
    ] as const) {
      const page = await running().open('#/contracts/several', { locale, viewport: { width: 1280, height: 800 } })
      for (const [label, text] of Object.entries(cells)) {
        const input = page.getByLabel(label, { exact: true })
        await input.fill(text)
        await input.focus()
        assert.equal(
          await page.evaluate('document.activeElement.scrollWidth <= document.activeElement.clientWidth'),
          true,
          label,
        )
      }
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    }
  })
})
