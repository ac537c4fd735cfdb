import assert from 'node:assert/strict'
import { createClients } from '../support/clients.ts'
import { describeConsole } from '../support/console-browser.ts'
import { field, heading } from '../support/console-pages.ts'
import { aNewContract, create } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

describeConsole('Entering services in the console', (running) => {
  const createContract = (changes: object = {}) => create(running().call, '/contracts', aNewContract(changes))
  /** A client that can be chosen by name. */
  const createClient = async (legalName: string) => (await createClients(running().call, legalName))[0] as string
  const ofClient = async (clientId: string) =>
    (await running().call('GET', `/contracts?clientId=${clientId}`)).body.contracts

  it('can start from any contract with Duplicate, dated today and without its notes', async () => {
    const { open, call } = running()
    const { id, ...original } = await createContract({
      serviceDate: '2026-02-01',
      taxPercent: 8.25,
      notes: 'Paid by cheque.',
    })
    const page = await open(`#/contracts/${id}`)
    await page.clock.setFixedTime('2026-03-31T16:00:00Z')
    await page.getByRole('link', { name: 'Duplicate' }).click()
    await heading(page, 'New contract')
    await field(page, 'Notes').fill('A duplicate')
    await page.getByRole('button', { name: 'Create contract' }).click()
    await page.getByText('Contract created.').waitFor()
    const { body } = await call('GET', `/contracts/${page.url().split('/').at(-1)}`)
    const { clientId, serviceName, serviceType, serviceFee, taxPercent } = original
    const copied = { clientId, serviceName, serviceType, serviceFee, taxPercent }
    assert.deepEqual({ ...body, ...copied, notes: 'A duplicate' }, body)
    assert.equal(body.serviceDate, '2026-03-31T00:00:00.000Z')
  })

  it('starts from the same amounts wherever the address of a duplicate is opened', async () => {
    const { open } = running()
    const { id } = await createContract({ serviceFee: 1.234, taxPercent: 8.25 })
    const german = await open(`#/contracts/${id}`, { locale: 'de-DE' })
    await german.getByRole('link', { name: 'Duplizieren' }).click()
    await heading(german, 'Neue Leistung')
    assert.equal(await german.locator('#field-serviceFee').inputValue(), '1,234')
    const page = await open(new URL(german.url()).hash)
    await heading(page, 'New contract')
    assert.equal(await field(page, 'Service fee').inputValue(), '1.234')
    assert.equal(await field(page, 'Tax %').inputValue(), '8.25')
  })

  it('continues with Save and add another, which keeps client, type, tax and date', async () => {
    const clientId = await createClient('Série Café')
    const page = await running().open(`#/contracts/new?clientId=${clientId}`)
    await page.getByLabel('Service date').fill('2026-03-15')
    for (const [name, fee] of [
      ['First', '100'],
      ['Second', '200'],
      ['Second', '200'],
    ] as const) {
      await field(page, 'Service name').fill(name)
      if (name === 'First') await field(page, 'Service type').fill('Series')
      await field(page, 'Service fee').fill(fee)
      if (name === 'First') await field(page, 'Tax %').fill('13')
      await page.getByRole('button', { name: 'Save and add another' }).click()
      await page.getByText(`${name} created. Enter the next one.`).waitFor()
      await waitFor(async () => (await page.evaluate('document.activeElement.id')) === 'field-serviceName')
      assert.equal(await field(page, 'Service fee').inputValue(), '')
    }
    const made = await ofClient(clientId)
    assert.deepEqual(
      made.map((one: typeof made) => [
        one.serviceName,
        one.serviceType,
        one.serviceFee,
        one.taxPercent,
        one.serviceDate,
      ]),
      [
        ['Second', 'Series', 200, 13, '2026-03-15T00:00:00.000Z'],
        ['Second', 'Series', 200, 13, '2026-03-15T00:00:00.000Z'],
        ['First', 'Series', 100, 13, '2026-03-15T00:00:00.000Z'],
      ],
    )
  })

  it('gives another client its own type and tax after Save and add another, not those of the previous client', async () => {
    const [before, next] = await createClients(running().call, 'Taxed Ltd.', 'Untaxed Ltd.')
    const usual = { clientId: next, serviceName: 'Advice', serviceType: 'Advisory', serviceFee: 80, taxPercent: 0 }
    await createContract(usual)
    const page = await running().open(`#/contracts/new?clientId=${before}`)
    await field(page, 'Service name').fill('Accounts')
    await field(page, 'Service type').fill('Accounting')
    await field(page, 'Service fee').fill('100')
    await field(page, 'Tax %').fill('13')
    await page.getByRole('button', { name: 'Save and add another' }).click()
    await page.getByText('Accounts created. Enter the next one.').waitFor()
    assert.equal(await field(page, 'Tax %').inputValue(), '13')
    await page.getByRole('combobox', { name: 'Client' }).fill('untaxed')
    await page.getByRole('option', { name: 'Untaxed Ltd.' }).click()
    await waitFor(async () => (await field(page, 'Tax %').inputValue()) === '')
    await field(page, 'Service name').fill('Advice')
    await waitFor(async () => (await field(page, 'Tax %').inputValue()) === '0')
    assert.equal(await field(page, 'Service type').inputValue(), 'Advisory')
  })

  it('suggests the client’s usual type, fee and tax for a service, which typing replaces', async () => {
    const clientId = await createClient('Usual Ltd.')
    const { id } = await createContract({
      clientId,
      serviceName: 'Payroll run',
      serviceType: 'Payroll',
      serviceFee: 150,
      taxPercent: 8.25,
    })
    const page = await running().open(`#/contracts/new?clientId=${clientId}`)
    await field(page, 'Service name').fill('payroll RUN')
    await waitFor(async () => (await field(page, 'Service fee').inputValue()) === '150')
    assert.equal(await field(page, 'Service type').inputValue(), 'Payroll')
    assert.equal(await field(page, 'Tax %').inputValue(), '8.25')
    assert.equal(await page.getByText(`Proposed, as in contract ${id}.`).count(), 3)
    await page.getByText('Check what is proposed before you save: Service type, Service fee, Tax %.').waitFor()
    await field(page, 'Service fee').fill('175')
    await page.getByText('Check what is proposed before you save: Service type, Tax %.').waitFor()
    await field(page, 'Service name').fill('Something else')
    await waitFor(async () => (await field(page, 'Tax %').inputValue()) === '')
    assert.equal(await field(page, 'Service type').inputValue(), '')
    assert.equal(await field(page, 'Service fee').inputValue(), '175')
    assert.equal(await page.getByText('Proposed, as in').count(), 0)
  })

  it('asks about an empty tax, and points out a different spelling of a service type in use', async () => {
    const clientId = await createClient('Spelling Ltd.')
    await createContract({ serviceType: 'Tax-Filing' })
    const page = await running().open(`#/contracts/new?clientId=${clientId}`)
    await field(page, 'Service name').fill('Asked')
    await field(page, 'Service type').fill('tax filing')
    await page.getByText('In use so far:').waitFor()
    await page.getByRole('button', { name: 'Tax-Filing' }).click()
    assert.equal(await field(page, 'Service type').inputValue(), 'Tax-Filing')
    await field(page, 'Service fee').fill('10')
    await page.getByRole('button', { name: 'Create contract' }).click()
    await page.getByRole('alert').getByText('Is there no tax? Enter 0 for none.').waitFor()
    assert.deepEqual(await ofClient(clientId), [])
    await field(page, 'Tax %').fill('0')
    await page.getByRole('button', { name: 'Create contract' }).click()
    await page.getByText('Contract created.').waitFor()
    assert.equal((await ofClient(clientId))[0].taxPercent, 0)
  })

  it('has keyboard shortcuts except while typing: n, / and ?, which the help lists', async () => {
    const page = await running().open('#/contracts')
    await heading(page, 'Contracts')
    await page.keyboard.press('/')
    await waitFor(async () => (await page.evaluate('document.activeElement.type')) === 'search')
    await page.keyboard.type('n?')
    assert.equal(await page.getByRole('searchbox', { name: 'Search' }).last().inputValue(), 'n?')
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('n')
    await heading(page, 'New contract')
    await page.goto(page.url().replace(/#.*/, '#/clients'))
    await heading(page, 'Clients')
    await page.getByRole('link', { name: 'New business' }).waitFor()
    await page.keyboard.press('n')
    await heading(page, 'New business')
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('/')
    await waitFor(async () => (await page.evaluate('document.activeElement.id')) === 'find')
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('?')
    await heading(page, 'Keyboard')
    for (const key of ['n', '/', '?', 'Enter', 'Esc']) {
      assert.ok((await page.locator('kbd').allInnerTexts()).includes(key), key)
    }
    await page.keyboard.press('n')
    await heading(page, 'New contract')
    await waitFor(async () => (await page.evaluate('document.activeElement.id')) === 'field-clientId')
  })

  it('lets users turn off single-character shortcuts', async () => {
    const page = await running().open('#/help')
    const visited: string[] = []
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).hash))
    await page.getByLabel('Use n, g, / and ?').uncheck()
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('n')
    await page.getByRole('link', { name: 'Contracts', exact: true }).click()
    await heading(page, 'Contracts')
    await page.keyboard.press('n')
    await page.getByRole('link', { name: 'Help' }).click()
    await heading(page, 'Keyboard')
    assert.deepEqual([...new Set(visited)], ['#/help', '#/contracts'])
    await page.getByLabel('Use n, g, / and ?').check()
    await page.keyboard.press('n')
    await heading(page, 'New contract')
  })

  it('moves with Enter through empty and suggested fields, saves after the last, and leaves with Esc', async () => {
    const clientId = await createClient('Enter Ltd.')
    await createContract({
      clientId,
      serviceName: 'Payroll run',
      serviceType: 'Payroll',
      serviceFee: 150,
      taxPercent: 13,
    })
    const page = await running().open(`#/contracts/new?clientId=${clientId}`)
    const focused = async (name: string) =>
      await waitFor(async () => (await page.evaluate('document.activeElement.id')) === `field-${name}`)
    await field(page, 'Service name').fill('Payroll run')
    await waitFor(async () => (await field(page, 'Tax %').inputValue()) === '13')
    for (const next of ['serviceType', 'serviceFee', 'taxPercent']) {
      await page.keyboard.press('Enter')
      await focused(next)
    }
    await page.getByText('Check what is proposed before you save: Tax %.').waitFor()
    let answer = false
    page.on('dialog', async (dialog) => await (answer ? dialog.accept() : dialog.dismiss()))
    await page.keyboard.press('Escape')
    await waitFor(async () => page.url().includes('/contracts/new'))
    assert.equal(await field(page, 'Service name').inputValue(), 'Payroll run')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Payroll run created. Enter the next one.').waitFor()
    await page.keyboard.type('Another')
    answer = true
    await page.keyboard.press('Escape')
    await heading(page, 'Contracts')
    assert.equal((await ofClient(clientId)).length, 2)
  })
})
