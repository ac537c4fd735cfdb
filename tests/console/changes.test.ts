import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { readSheet } from 'read-excel-file/universal'
import { createClients } from '../support/clients.ts'
import { describeConsole } from '../support/console-browser.ts'
import { range, save } from '../support/console-pages.ts'
import { aNewContract, importContracts, OVERRIDING, restClient } from '../support/rest.ts'

/** More than the page shows initially. */
const CHANGE_COUNT = 130

describeConsole('The changes in the console', (running) => {
  const item = (page: Page, text: string) => page.locator('.timeline > li', { hasText: text })
  let clientId = ''
  let other: { readonly id: string; readonly key: string }
  let contract: number

  before(async () => {
    const { call, mint } = running()
    ;[clientId = ''] = await createClients(call, 'Roy & Fils')
    other = (await call('POST', '/api-keys', { name: 'Lee', scopes: ['contracts:read', 'contracts:write'] })).body
    const lee = restClient({ url: mint.url, key: other.key })
    contract = (await call('POST', '/contracts', aNewContract({ clientId, serviceName: 'Payroll', serviceFee: 100 })))
      .body.id
    await lee('PATCH', `/contracts/${contract}`, { serviceFee: -19.5, notes: '=1+1' })
    await lee('PATCH', `/contracts/${contract}`, { notes: 'By phone' })
    await call('PATCH', '/firm', { name: 'Books & Co' })
  })

  it('are shown by day, with who changed what, from what to what', async () => {
    const page = await running().open('#/changes')
    const today = await page.evaluate("new Date().toLocaleDateString('en-US', { dateStyle: 'medium' })")
    await page.getByRole('heading', { level: 2, name: String(today) }).waitFor()
    const edited = item(page, 'Contract 1: Payroll: Edited by Lee').last()
    assert.match(await edited.innerText(), /Service fee\s+100\.00\s+→[^-]*-19\.50/)
    assert.match(await edited.innerText(), /Notes\s+none\s+→[^=]*=1\+1/i)
    await edited.filter({ hasText: 'Roy & Fils' }).waitFor()
    const newest = item(page, 'Contract 1: Payroll: Edited by Lee').first()
    assert.match(await newest.innerText(), /Notes\s+=1\+1\s+→\D*By phone/)
    await item(page, 'Roy & Fils: Created').waitFor()
    await edited.getByRole('link', { name: 'Contract 1: Payroll' }).click()
    await page.getByRole('heading', { level: 1, name: 'Contract 1: Payroll' }).waitFor()
  })

  it('can be filtered by author, by record and by day, with the filters in the address', async () => {
    const page = await running().open('#/changes')
    await item(page, 'Firm: Edited').first().waitFor()
    await page.getByLabel('Person or key').selectOption('Lee')
    await range(page, '2 changes.')
    await page.getByLabel('Changes to').selectOption('Businesses')
    await range(page, 'No matches')
    await page.getByLabel('Person or key').selectOption('All')
    await range(page, 'One change.')
    await page.reload()
    await range(page, 'One change.')
    await item(page, 'Roy & Fils: Created').waitFor()
    await page.getByLabel('To', { exact: true }).fill('2001-01-01')
    await page.getByLabel('From', { exact: true }).fill('2001-01-01')
    await range(page, 'No matches')
    await page.goBack()
    await page.goBack()
    await range(page, 'One change.')
  })

  it('can be filtered by any author, also one whose key is not among the first hundred', async () => {
    const { call, open } = running()
    const page = await open('#/changes?from=2001-01-01&to=2001-01-01')
    const authors = page.getByLabel('Person or key').locator('option')
    await authors.filter({ hasText: 'Lee' }).waitFor({ state: 'attached' })
    for (let number = 1; number <= 100; number++) {
      await call('POST', '/api-keys', { name: `Clerk ${number}`, scopes: ['contracts:read'] })
    }
    await page.reload()
    await authors.filter({ hasText: 'Clerk 100' }).waitFor({ state: 'attached' })
    const names = (await authors.allTextContents()).slice(1)
    assert.ok(names.includes('Lee'))
    assert.deepEqual(
      names,
      names.toSorted((one, other) => one.localeCompare(other)),
    )
  })

  it('can be filtered by people under the name of their latest sign-in', async () => {
    const page = await running().open('#/firm')
    const principal = '5f0e2a1c-3b4d-5c6e-8f70-123456789abc'
    const apiKeys = ['Ann Baker', 'Ann Miller'].map((name, id) => ({ id, principal, name }))
    await page.route('**/api-keys?*', (route) => route.fulfill({ json: { apiKeys, total: apiKeys.length } }))
    await page.evaluate("location.hash = '#/changes'")
    const authors = page.getByLabel('Person or key').locator('option').filter({ hasText: 'Ann' })
    await authors.first().waitFor({ state: 'attached' })
    assert.deepEqual(await authors.allTextContents(), ['Ann Baker'])
  })

  it('begin on the first screen of a phone, above which their filters are folded until one applies', async () => {
    const page = await running().open('#/changes', { viewport: { width: 390, height: 844 } })
    const first = await page.locator('.timeline > li').first().boundingBox()
    assert.ok(first && first.y < 500, JSON.stringify(first))
    await page.getByText('More filters').click()
    await page.getByLabel('Changes to').selectOption('Contracts')
    await page.waitForURL(/kind=contract/)
    await page.reload()
    await page.getByLabel('Changes to').waitFor()
  })

  it('of one record are linked from its history, and lead to those of all records', async () => {
    const page = await running().open(`#/contracts/${contract}`)
    await page.getByRole('link', { name: 'Filter and save these changes' }).click()
    await range(page, '3 changes.')
    await page.getByLabel('Person or key').selectOption('Lee')
    await range(page, '2 changes.')
    const all = page.getByRole('link', { name: 'Show all changes' })
    await all.click()
    await all.waitFor({ state: 'detached' })
    await page.getByLabel('Person or key').selectOption('All')
    await item(page, 'Firm: Edited').first().waitFor()
  })

  it('show why a closed period was changed, and when the books were closed', async () => {
    const { call, open } = running()
    await call('PUT', '/closing', { closedThrough: '2020-06-30', reason: 'June is filed.' })
    await call('PUT', '/closing', { closedThrough: '2020-07-31', reason: 'July is filed.' })
    await call('POST', '/contracts', aNewContract({ clientId, serviceDate: '2020-07-31' }), OVERRIDING)
    const page = await open('#/changes')
    await page.getByText(`In a closed period: ${decodeURIComponent(OVERRIDING['closing-override'])}`).waitFor()
    const closed = item(page, 'Closing: Edited').first()
    assert.match(await closed.innerText(), /Closed through\s+Jun 30, 2020\s+→\D*Jul 31, 2020/)
    assert.match(await closed.innerText(), /Reason\s+June is filed\.\s+→\s+.*July is filed\./s)
  })

  it('can be saved as Excel and CSV, with old and new values, which spreadsheets don’t take for formulas', async () => {
    const page = await running().open(`#/changes?by=${other.id}`)
    await range(page, '2 changes.')
    const sheet = await readSheet(new Blob([await readFile(await (await save(page, 'Save as Excel')).path())]))
    assert.deepEqual(sheet[0], [
      'When',
      'Person or key',
      'What',
      'What happened',
      'Field',
      'Before',
      'After',
      'Reason, in a closed period',
    ])
    const rows = sheet.slice(1).map((row) => row.slice(1).map((cell) => cell ?? ''))
    const edited = ['Lee', 'Contract 1: Payroll', 'Edited']
    assert.deepEqual(rows, [
      [...edited, 'Notes', '=1+1', 'By phone', ''],
      [...edited, 'Service fee', '100', '-19.5', ''],
      [...edited, 'Total with tax', '113', '-22.035', ''],
      [...edited, 'Notes', '', '=1+1', ''],
    ])
    assert.ok(sheet[1]?.[0] instanceof Date)
    const csv = await readFile(await (await save(page, 'Save as CSV')).path(), 'utf8')
    assert.match(csv, /^\ufeffat,by,record,action,field,before,after,reason\r\n/)
    assert.match(csv, /,Lee,Contract 1: Payroll,Edited,Notes,'=1\+1,By phone,\r\n/)
    assert.match(csv, /,Service fee,100,-19\.5,\r\n/)
  })

  it('are limited to the records that a key may read', async () => {
    const { call, open } = running()
    const { key } = (await call('POST', '/api-keys', { name: 'Sales', scopes: ['businesses:read'] })).body
    const page = await open('', { key })
    await page.getByRole('link', { name: 'Changes', exact: true }).click()
    await item(page, 'Roy & Fils: Created').waitFor()
    assert.equal(await item(page, 'Contract').count(), 0)
    assert.deepEqual(await page.getByLabel('Changes to').locator('option').allTextContents(), ['All', 'Businesses'])
    const { key: none } = (await call('POST', '/api-keys', { name: 'Nothing', scopes: ['clients:read'] })).body
    const refused = await open('#/clients', { key: none })
    await refused.getByRole('link', { name: 'Clients' }).first().waitFor()
    assert.equal(await refused.getByRole('link', { name: 'Changes' }).count(), 0)
  })

  it('are shown a hundred at a time, newest first, with more on request', async () => {
    const { call, open } = running()
    const rows = Array.from({ length: CHANGE_COUNT }, (_, index) => `${clientId},Service ${index},bulk,1`)
    await importContracts(call, ['clientId,serviceName,serviceType,serviceFee', ...rows])
    const page = await open('#/changes?kind=contract')
    await range(page, 'The newest 100 changes. There are earlier ones.')
    assert.match(await page.locator('.timeline > li').first().innerText(), new RegExp(`Service ${CHANGE_COUNT - 1}:`))
    await page.getByRole('button', { name: 'Show earlier changes' }).click()
    await item(page, 'Contract 1: Payroll: Created').waitFor()
    assert.ok((await page.locator('.timeline > li').count()) > CHANGE_COUNT)
  })
})
