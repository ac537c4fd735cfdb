import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describeConsole, holdRequests } from '../support/console-browser.ts'
import { field, heading, nextFrame, valueIn } from '../support/console-pages.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

describeConsole('Records in the console', (running) => {
  const create = async (changes: object = {}) =>
    (await running().call('POST', '/contracts', aNewContract(changes))).body

  it('are created with the keyboard alone, with the client chosen by name and the total updated while typing', async () => {
    const { call, open } = running()
    const { body: business } = await call('POST', '/businesses', { legalName: 'Garage Roy' })
    await waitFor(async () => (await call('GET', '/clients?search=roy')).body.total === 1)
    const page = await open('#/contracts/new')
    await heading(page, 'New contract')
    await page.getByRole('combobox', { name: 'Client' }).focus()
    await page.keyboard.type('roy')
    await page.getByRole('option', { name: 'Garage Roy' }).waitFor()
    const typed = ['Sales tax return', 'tax-filing', '19.99', '8.25']
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    for (const text of typed) {
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    assert.equal(await page.getByLabel('Total with tax').textContent(), '21.639175')
    await page.keyboard.press('Enter')
    await page.getByText('The contract is created.').waitFor()
    await waitFor(async () => (await valueIn(page, 'Client').textContent())?.includes('Garage Roy'))
    const id = page.url().split('/').at(-1)
    const { body } = await call('GET', `/contracts/${id}`)
    assert.deepEqual([body.clientId, body.serviceFee, body.totalFeeWithTax], [business.clientId, 19.99, 21.639175])
  })

  it('may be saved already where a proxy answered in place of Mint: its page is no answer', async () => {
    const { open, call } = running()
    const page = await open('#/businesses/new')
    await field(page, 'Legal name').fill('Proxied Ltd.')
    await page.route('**/businesses', async (route) => {
      await route.fetch()
      await route.fulfill({ contentType: 'text/html', body: '<p>Sign in to the proxy.</p>' })
    })
    await page.getByRole('button', { name: 'Create business' }).click()
    await page.getByText('nothing is saved twice').waitFor()
    assert.ok(await field(page, 'Legal name').isDisabled())
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Create business' }).click()
    await page.getByText('The business is created.').waitFor()
    assert.equal((await call('GET', '/businesses?search=proxied')).body.total, 1)
  })

  it('are created once, however often the user retries until an answer arrives', async () => {
    const { call, open } = running()
    const page = await open('#/businesses/new')
    await field(page, 'Legal name').fill('Once Ltd.')
    // Mint receives the request, but its answer is lost.
    await page.route('**/businesses', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Create business' }).click()
    await page.getByText('nothing is saved twice').waitFor()
    assert.ok(await field(page, 'Legal name').isDisabled())
    await page.unrouteAll()
    // This attempt says nothing about the first one.
    const [contentType, body] = ['application/problem+json', '{"code":"unavailable","detail":"Later."}']
    await page.route('**/businesses', (route) => route.fulfill({ status: 503, contentType, body }))
    await page.getByRole('button', { name: 'Create business' }).click()
    await page.getByText('Later.').waitFor()
    assert.ok(await field(page, 'Legal name').isDisabled())
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Create business' }).click()
    await page.getByText('The business is created.').waitFor()
    assert.equal((await call('GET', '/businesses?search=once')).body.total, 1)
  })

  it('show problems next to their fields, whether the form or the API finds them', async () => {
    const page = await running().open('#/businesses/new')
    await page.getByRole('button', { name: 'Create business' }).click()
    const summary = page.getByRole('alert')
    await summary.getByText('one field needs correcting').waitFor()
    assert.equal(await page.evaluate('document.activeElement.className'), 'problem form-problem')
    await summary.getByRole('button', { name: 'Legal name' }).click()
    assert.equal(await page.evaluate('document.activeElement.id'), 'field-legalName')
    await page.keyboard.type('Mail Ltd.')
    await field(page, 'E-mail').fill('nobody')
    await page.keyboard.press('Enter')
    const invalid = page.locator('[aria-invalid="true"]')
    await waitFor(async () => (await invalid.getAttribute('id')) === 'field-email')
    assert.match((await page.locator('#field-email-problem').textContent()) ?? '', /valid/i)
  })

  it('can be edited, and then show who changed them and when, with old and new values', async () => {
    const { id } = await create({ serviceFee: 150, taxPercent: 13 })
    const page = await running().open(`#/contracts/${id}`)
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await field(page, 'Service fee').fill('19.99')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your changes are saved.').waitFor()
    const newest = page.locator('.timeline > li').first()
    await newest.getByText('Edited by').waitFor()
    const text = (await newest.innerText()).replace(/\s+/g, ' ')
    assert.match(text, /Edited by .+, \w+ \d+, \d{4}/)
    assert.match(text, /Service fee 150\.00 → to 19\.99/)
    assert.match(text, /Total with tax 169\.50 → to 22\.59/)
    assert.equal(await page.locator('.timeline > li').count(), 2)
  })

  it('reveal the exact figure behind a rounded one', async () => {
    const { id } = await create({ serviceFee: 19.99, taxPercent: 8.25 })
    const page = await running().open(`#/contracts/${id}`)
    const total = valueIn(page, 'Total with tax')
    await total.locator('summary').focus()
    await page.keyboard.press('Enter')
    await total.getByText('21.639175').waitFor()
    assert.equal(await total.locator('data').getAttribute('value'), '21.639175')
  })

  it('are shown as of any moment, with the changes up to then', async () => {
    const { call, open } = running()
    const { id } = await create({ serviceName: 'First' })
    const { body: edited } = await call('PATCH', `/contracts/${id}`, { serviceName: 'Second' })
    const page = await open(`#/contracts/${id}`)
    await heading(page, `Contract ${id}: Second`)
    await page.getByRole('link', { name: 'As it stood then (version 1)' }).click()
    await heading(page, `Contract ${id}: First`)
    await page.getByText('One later change isn’t shown.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Edit', exact: true }).count(), 0)
    await page.getByRole('link', { name: 'Back to today' }).click()
    await heading(page, `Contract ${id}: Second`)
    await page.getByLabel('As of').fill('2020-01-01')
    await page.getByText('There was no such contract at the end of Jan 1, 2020').waitFor()
    assert.ok(edited.updatedAt)
  })

  it('show their client’s name as of the chosen moment', async () => {
    const { call, open } = running()
    const { body: business } = await call('POST', '/businesses', { legalName: 'Old name' })
    const { id, createdAt } = await create({ clientId: business.clientId })
    await call('PATCH', `/businesses/${business.id}`, { operatedAs: 'New name' })
    await waitFor(async () => (await call('GET', '/clients?search=new+name')).body.total === 1)
    const page = await open(`#/contracts/${id}`)
    await valueIn(page, 'Client').getByText('New name').waitFor()
    await page.goto(`${page.url()}?asOf=${createdAt}`)
    await valueIn(page, 'Client').getByText('Old name').waitFor()
  })

  it('never silently overwrite a concurrent edit: the second user chooses field by field', async () => {
    const { call, open } = running()
    const { id } = await create({ serviceName: 'Before', serviceFee: 100, notes: '' })
    const page = await open(`#/contracts/${id}/edit`)
    await field(page, 'Service name').fill('Mine')
    await field(page, 'Notes').fill('My note')
    await call('PATCH', `/contracts/${id}`, { serviceName: 'Theirs', serviceFee: 200 })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else has saved this in the meantime').waitFor()
    const table = page.getByRole('table')
    const cells = async (name: string) => await table.getByRole('row', { name }).getByRole('cell').allInnerTexts()
    assert.deepEqual(await cells('Service fee'), ['100.00', '200.00\n(kept)', '100.00'])
    assert.deepEqual(await cells('Notes'), ['none', 'none', 'My note\n(kept)'])
    await page.getByRole('button', { name: 'Save the chosen values' }).click()
    await page.getByText('Choose a value for every field').waitFor()
    await page.getByRole('radio', { name: 'Yours: Mine' }).check()
    await page.getByRole('button', { name: 'Save the chosen values' }).click()
    await page.getByText('Your changes are saved.').waitFor()
    const { body } = await call('GET', `/contracts/${id}`)
    assert.deepEqual([body.serviceName, body.serviceFee, body.notes], ['Mine', 200, 'My note'])
  })

  it('don’t report a conflict when the user retries an edit whose answer was lost', async () => {
    const { call, open } = running()
    const { id } = await create()
    const page = await open(`#/contracts/${id}/edit`)
    await field(page, 'Service fee').fill('7')
    await page.route(`**/contracts/${id}`, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('nothing is saved twice').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your changes are saved.').waitFor()
    assert.equal((await call('GET', `/contracts/${id}/history`)).body.total, 2)
  })

  it('are dated today in the user’s time zone, not in UTC', async () => {
    const page = await running().open('#/contracts')
    await heading(page, 'Contracts')
    await page.clock.install({ time: '2026-04-01T01:00:00Z' })
    await page.getByRole('link', { name: 'New contract' }).click()
    await heading(page, 'New contract')
    assert.equal(await field(page, 'Service date').inputValue(), '2026-03-31')
    await page.getByRole('link', { name: 'Clients' }).click()
    await heading(page, 'Clients')
  })

  it('aren’t saved with a partly typed date', async () => {
    const page = await running().open('#/contracts/new?clientId=11111111-1111-1111-1111-111111111111')
    await field(page, 'Service name').fill('No date')
    await field(page, 'Service type').fill('tax')
    await field(page, 'Service fee').fill('1')
    await field(page, 'Tax %').fill('0')
    await page.getByLabel('Service date').press('Backspace')
    await page.getByRole('button', { name: 'Create contract' }).click()
    await page.locator('#field-serviceDate-problem').getByText('The date is incomplete').waitFor()
    assert.equal((await running().call('GET', '/contracts?search=no+date')).body.total, 0)
  })

  it('don’t show values of another date if those of the chosen date can’t be loaded', async () => {
    const { id } = await create({ serviceName: 'Present' })
    const page = await running().open(`#/contracts/${id}`)
    await heading(page, `Contract ${id}: Present`)
    await page.route(/asOf=/, (route) => route.abort())
    await page.getByLabel('As of').fill('2026-03-31')
    await page.getByText('Mint can’t be reached').waitFor()
    assert.equal(await page.getByText('Present').count(), 0)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('There was no such contract at the end of Mar 31, 2026').waitFor()
  })

  it('warn before saving if the month of their current or new date is closed', async () => {
    const { call, open } = running()
    const { id } = await create({ serviceDate: '2026-02-15' })
    const date = (page: Page) => page.getByLabel('Service date')
    const warning = (page: Page, day: string) => page.getByText(`The books are closed through ${day}.`)
    await call('PUT', '/closing', { closedThrough: '2026-01-31', reason: 'January is filed.' })
    const page = await open(`#/contracts/${id}/edit`)
    await date(page).fill('2026-01-31')
    await warning(page, 'Jan 31, 2026').waitFor()
    await date(page).fill('2026-02-15')
    await warning(page, 'Jan 31, 2026').waitFor({ state: 'detached' })
    await call('PUT', '/closing', { closedThrough: '2026-02-28', reason: 'February is filed.' })
    const closed = await open(`#/contracts/${id}/edit`)
    await date(closed).fill('2026-03-01')
    await warning(closed, 'Feb 28, 2026').waitFor()
    const created = await open('#/contracts/new?serviceDate=2026-02-28')
    await warning(created, 'Feb 28, 2026').waitFor()
  })

  it('ask users who may save in a closed month for a reason, which the history shows', async () => {
    const { call, open } = running()
    await call('PUT', '/closing', { closedThrough: null, reason: 'Nothing is filed.' })
    const { id } = await create({ serviceDate: '2026-01-15' })
    const page = await open(`#/contracts/${id}/edit`)
    await field(page, 'Service fee').fill('-19.99')
    await call('PUT', '/closing', { closedThrough: '2026-01-31', reason: 'January is filed.' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('The books are closed through Jan 31, 2026.').waitFor()
    await page.getByLabel('Reason for saving anyway').fill('Gutschrift, 100 % “zu spät”')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your changes are saved.').waitFor()
    await page.getByText('In a closed period: Gutschrift, 100 % “zu spät”').waitFor()
    assert.equal((await call('GET', `/contracts/${id}`)).body.serviceFee, -19.99)
    const { events } = (await call('GET', `/contracts/${id}/history`)).body
    assert.equal(events.at(-1).overrideReason, 'Gutschrift, 100 % “zu spät”')
  })

  it('are credited on the first open day by a contract with the negative fee, and both link to each other', async () => {
    const { call, open } = running()
    await call('PUT', '/closing', { closedThrough: null, reason: 'Nothing is filed.' })
    const { id } = await create({ serviceDate: '2026-01-15', serviceFee: 1234.5678, serviceName: 'Payroll, “Jan”' })
    await call('PUT', '/closing', { closedThrough: '2098-12-31', reason: 'All is filed.' })
    const page = await open(`#/contracts/${id}`)
    await page.getByRole('link', { name: 'Credit', exact: true }).click()
    await heading(page, `Credit contract ${id}`)
    assert.equal(await field(page, 'Service fee').inputValue(), '-1234.5678')
    assert.equal(await page.getByLabel('Service date').inputValue(), '2099-01-01')
    assert.equal(await field(page, 'Notes').inputValue(), `Credit for contract ${id}`)
    // Saved, it would bill the client once more.
    await field(page, 'Service fee').fill('1,000.5')
    await page.getByRole('button', { name: 'Create contract' }).click()
    await page.getByRole('alert').getByText('A credit is negative: enter -1000.5.').waitFor()
    await field(page, 'Service fee').fill('-1234.5678')
    await page.getByText('Is Jan 1, 2099 right? Save again if it is, or correct it.').first().waitFor()
    await page.getByRole('button', { name: 'Create contract' }).click()
    await page.getByText('The contract is created.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Credit', exact: true }).count(), 0)
    await page.getByRole('link', { name: `The credited contract ${id}` }).click()
    await heading(page, `Contract ${id}: Payroll, “Jan”`)
    await page.getByRole('link', { name: /^Credited by contract \d+ \(Jan 1, 2099\)$/ }).click()
    await page.getByRole('link', { name: `The credited contract ${id}` }).waitFor()
    const credit = (await call('GET', `/contracts/${page.url().split('/').at(-1)}`)).body
    const same = ['clientId', 'serviceName', 'serviceType', 'taxPercent']
    const { body: contract } = await call('GET', `/contracts/${id}`)
    for (const name of same) assert.equal(credit[name], contract[name])
    assert.equal(credit.totalFeeWithTax, -contract.totalFeeWithTax)
    const again = await open(`#/contracts/${id}/credit`)
    await again.getByText('This contract has already been credited:').waitFor()
    await again.getByRole('link', { name: `Contract ${credit.id}` }).waitFor()
    assert.equal((await call('PATCH', `/contracts/${credit.id}`, { serviceFee: -1000 })).status, 200)
    const rest = await open(`#/contracts/${id}/credit`)
    await rest.getByText('This contract has already been credited:').waitFor()
    assert.equal(await field(rest, 'Service fee').inputValue(), '-234.5678')
    await call('PUT', '/closing', { closedThrough: null, reason: 'Over.' })
  })

  it('say that saving failed because the month is closed, and keep the input', async () => {
    const { call, open } = running()
    await call('PUT', '/closing', { closedThrough: null, reason: 'Nothing is filed.' })
    const { id } = await create({ serviceDate: '2026-01-15' })
    await call('PUT', '/closing', { closedThrough: '2026-01-31', reason: 'January is filed.' })
    const scopes = ['contracts:read', 'contracts:write', 'clients:read']
    const { body: key } = await call('POST', '/api-keys', { name: 'Bookkeeper', scopes })
    const page = await open(`#/contracts/${id}/edit`, { key: key.key })
    await field(page, 'Service fee').fill('1')
    await page.getByRole('button', { name: 'Save' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Nothing was saved: the books are closed for this service date.').waitFor()
    await alert.getByText('The books are closed through Jan 31, 2026.').waitFor()
    assert.equal(await page.getByText('Closing-Override').count(), 0)
    assert.equal(await page.evaluate('document.activeElement.className'), 'problem form-problem')
    assert.equal(await field(page, 'Service fee').inputValue(), '1')
    // Once is enough.
    assert.equal(await page.locator('.warning, .problem').count(), 1)
  })

  it('stop showing that they are saved once values of another date are shown', async () => {
    const { id } = await create({ serviceName: 'Saved' })
    const page = await running().open(`#/contracts/${id}/edit`)
    await field(page, 'Service name').fill('Saved again')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your changes are saved.').waitFor()
    await page.getByRole('link', { name: 'As it stood then (version 1)' }).click()
    await page.getByText('Your changes are saved.').waitFor({ state: 'detached' })
    await heading(page, `Contract ${id}: Saved`)
  })

  it('get today’s date in the user’s time zone if the service date is cleared', async () => {
    const { call, open } = running()
    // 14 hours ahead of UTC: for most of the day, it is already tomorrow there.
    const page = await open('#/contracts/new?clientId=11111111-1111-1111-1111-111111111111', {
      timezoneId: 'Pacific/Kiritimati',
    })
    await page.clock.setFixedTime('2026-03-31T12:00:00Z')
    await field(page, 'Service name').fill('Cleared')
    await field(page, 'Service type').fill('tax')
    await field(page, 'Service fee').fill('1')
    await field(page, 'Tax %').fill('0')
    await page.getByLabel('Service date').fill('')
    await page.getByText('Today if left empty.').waitFor()
    await page.getByRole('button', { name: 'Create contract' }).click()
    await page.getByText('The contract is created.').waitFor()
    const [created] = (await call('GET', '/contracts?search=cleared')).body.contracts
    assert.equal(created.serviceDate, '2026-04-01T00:00:00.000Z')
  })

  it('distinguish clients of the same name, in the client picker and afterwards', async () => {
    const { call, open } = running()
    const twins = []
    for (const legalName of ['Twin', 'Twin', 'Twin brothers'])
      twins.push((await call('POST', '/businesses', { legalName })).body)
    await waitFor(async () => (await call('GET', '/clients?search=twin')).body.total === 3)
    const page = await open('#/contracts/new')
    await page.getByRole('combobox', { name: 'Client' }).fill('twin')
    const ids = twins.map(({ clientId }) => clientId)
    await page.getByRole('option', { name: ids[0] }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'Choose a client from the list.' }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.id'), 'field-clientId')
    assert.equal(await page.getByRole('option', { name: ids[2] }).count(), 0)
    await page.getByRole('option', { name: ids[1] }).click()
    assert.equal(await page.getByRole('combobox', { name: 'Client' }).inputValue(), 'Twin')
    await page.getByText(`Its ID is ${ids[1]}`).waitFor()
  })

  it('ask before discarding unsaved input, whichever way the user leaves', async () => {
    const { id } = await create()
    const page = await running().open('#/contracts')
    await heading(page, 'Contracts')
    await page.goto(`${page.url().split('#')[0]}#/contracts/${id}/edit`)
    await field(page, 'Notes').fill('Not saved')
    const questions: string[] = []
    let answer = false
    page.on('dialog', async (dialog) => {
      questions.push(dialog.message())
      await (answer ? dialog.accept() : dialog.dismiss())
    })
    await page.getByRole('link', { name: 'Clients' }).click()
    await waitFor(() => questions.length === 1 && page.url().endsWith('/edit'))
    // The page is notified of its return only after the address has changed.
    await nextFrame(page)
    await page.goBack()
    await waitFor(() => questions.length === 2 && page.url().endsWith('/edit'))
    assert.equal(await field(page, 'Notes').inputValue(), 'Not saved')
    answer = true
    await page.getByRole('link', { name: 'Clients' }).click()
    await heading(page, 'Clients')
    assert.equal(questions.length, 3)
    await page.goBack()
    await waitFor(async () => (await field(page, 'Notes').inputValue()) === '')
  })

  it('say, when the user leaves during a save, that it may be saved all the same', async () => {
    const { id } = await create()
    const page = await running().open('#/contracts')
    await heading(page, 'Contracts')
    await page.goto(`${page.url().split('#')[0]}#/contracts/${id}/edit`)
    await field(page, 'Notes').fill('Saved meanwhile')
    const release = await holdRequests(page, `**/contracts/${id}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Saving' }).waitFor()
    const asked = page.waitForEvent('dialog')
    await page.evaluate('history.back()')
    const question = await asked
    assert.match(question.message(), /while Mint is saving/)
    await question.accept()
    await heading(page, 'Contracts')
    release()
    await waitFor(async () => (await running().call('GET', `/contracts/${id}`)).body.notes === 'Saved meanwhile')
  })

  it('return from a history entry that predates the page load if the user cancels leaving', async () => {
    const { id } = await create()
    const page = await running().open('#/help')
    await page.goto('about:blank')
    const release = await holdRequests(page, '**/start.ts')
    const { url } = running().mint
    await page.goto(`${url}/console#/clients`, { waitUntil: 'commit' })
    await page.goto(`${url}/console#/contracts/${id}/edit`, { waitUntil: 'commit' })
    release()
    await field(page, 'Notes').fill('Not saved')
    let questions = 0
    page.on('dialog', async (dialog) => {
      questions += 1
      await dialog.dismiss()
    })
    // Not `goBack`, which would wait for a page that never loads.
    await page.evaluate('history.back()')
    await waitFor(() => questions === 1 && page.url().endsWith('/edit'))
    await nextFrame(page)
    assert.equal(await field(page, 'Notes').inputValue(), 'Not saved')
  })

  it('keep the input when the key is revoked, and save it after signing in again', async () => {
    const { call, open, mint } = running()
    const { id } = await create()
    const scopes = ['contracts:read', 'contracts:write', 'clients:read']
    const { body: key } = await call('POST', '/api-keys', { name: 'Short-lived', scopes })
    const page = await open(`#/contracts/${id}/edit`, { key: key.key })
    await field(page, 'Notes').fill('Still here')
    await call('DELETE', `/api-keys/${key.id}`)
    await waitFor(
      async () => (await call('GET', '/closing', undefined, { authorization: `Bearer ${key.key}` })).status === 401,
    )
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Mint no longer accepts your API key').waitFor()
    await page.getByLabel('API key').fill(mint.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('Mint rejected your API key').waitFor()
    assert.equal(await page.getByText('Authorization').count(), 0)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your changes are saved.').waitFor()
    assert.equal((await call('GET', `/contracts/${id}`)).body.notes, 'Still here')
  })

  it('are not saved again by somebody else who signs in before it is clear that they are saved: there would be two', async () => {
    const { call, open, mint } = running()
    const scopes = ['businesses:read', 'businesses:write']
    const { body: key } = await call('POST', '/api-keys', { name: 'First', scopes })
    const page = await open('#/businesses/new', { key: key.key })
    await field(page, 'Legal name').fill('Of two people Ltd.')
    await page.route('**/businesses', async (route) => {
      await route.fetch()
      await route.abort()
    })
    const save = page.getByRole('button', { name: 'Create business' })
    await save.click()
    await page.getByText('nothing is saved twice').waitFor()
    await page.unrouteAll()
    await call('DELETE', `/api-keys/${key.id}`)
    const authorization = `Bearer ${key.key}`
    await waitFor(async () => (await call('GET', '/businesses', undefined, { authorization })).status === 401)
    await save.click()
    await page.getByLabel('API key').fill(mint.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await save.click()
    await page.getByText('Somebody else has tried to save this').waitFor()
    assert.equal((await call('GET', '/businesses?search=two people')).body.total, 1)
  })
})
