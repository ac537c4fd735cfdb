import assert from 'node:assert/strict'
import { describeConsole } from '../support/console-browser.ts'
import { heading, valueIn } from '../support/console-pages.ts'
import { aNewContract } from '../support/rest.ts'

describeConsole('The firm in the console', (running) => {
  it('can be edited on its page, and every amount is in its currency from then on', async () => {
    const { call, open } = running()
    const contract = aNewContract({ serviceFee: 1234.5, taxPercent: 8.25, serviceDate: '2026-03-10' })
    const { id } = (await call('POST', '/contracts', contract)).body
    const page = await open(`#/contracts/${id}`)
    await valueIn(page, 'Service fee').getByText('1,234.50', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Firm' }).click()
    await heading(page, 'Firm', { exact: true })
    assert.equal((await valueIn(page, 'Currency').textContent())?.trim(), 'none')
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Harbour Accounting')
    await page.getByLabel('Address').fill('12 Quay Street\nHalifax')
    await page.getByLabel('Currency').selectOption({ label: 'KWD, Kuwaiti Dinar' })
    await page.getByLabel('Time zone').selectOption('America/Halifax')
    await page.getByRole('button', { name: 'Save' }).click()
    await heading(page, 'Harbour Accounting')
    assert.equal((await valueIn(page, 'Currency').textContent())?.trim(), 'KWD, Kuwaiti Dinar')
    assert.equal(await valueIn(page, 'Address').locator('bdi').innerText(), '12 Quay Street\nHalifax')
    await page.getByText('Edited by').waitFor()
    assert.match((await valueIn(page, 'Last changed').textContent()) ?? '', /^\s*\w{3} \d/)
    const { body } = await call('GET', '/firm')
    assert.deepEqual([body.currency, body.timeZone], ['KWD', 'America/Halifax'])

    await page.goto(page.url().replace('#/firm', `#/contracts/${id}`))
    await valueIn(page, 'Service fee').getByText('KWD\u00a01,234.500', { exact: true }).waitFor()
    // 1336.34625: half away from zero, to the currency's three decimals.
    const total = valueIn(page, 'Total with tax')
    await total.getByText('KWD\u00a01,336.346', { exact: true }).click()
    await total.getByText('KWD\u00a01,336.34625', { exact: true }).waitFor()
    assert.equal(await total.locator('data').getAttribute('value'), '1336.34625')
    await page.goto(page.url().replace(`#/contracts/${id}`, '#/overview?year=2026'))
    await page.getByText('KWD\u00a01,336.346').first().waitFor()
  })
})

describeConsole('The firm in the console, once it has a name and a currency,', (running) => {
  before(async () => {
    const { call } = running()
    await call('PATCH', '/firm', { name: 'Harbour Accounting', currency: 'KWD' })
    await call('POST', '/contracts', aNewContract({}))
  })

  it('can be read by any key, which sees no edit link or history without the scopes for them', async () => {
    const { call, open } = running()
    const { key } = (await call('POST', '/api-keys', { name: 'Clients only', scopes: ['clients:read'] })).body
    const page = await open('#/firm', { key })
    await heading(page, 'Harbour Accounting')
    assert.equal(await page.getByRole('link', { name: 'Edit' }).count(), 0)
    assert.equal(await page.getByText('History').count(), 0)
  })

  it('resolves a concurrent edit even for a key that may not read who made the other one', async () => {
    const { call, open } = running()
    const { key } = (await call('POST', '/api-keys', { name: 'Firm only', scopes: ['firm:write'] })).body
    const page = await open('#/firm/edit', { key })
    await page.getByLabel('Phone').fill('+1 902 555 0100')
    await call('PATCH', '/firm', { taxId: '123456789RT0001' })
    await page.getByRole('button', { name: 'Save' }).click()
    const conflict = page.getByRole('alert').filter({ hasText: 'Somebody else has saved this in the meantime' })
    await conflict.waitFor()
    assert.equal(await conflict.getByText(/^By /).count(), 0)
    await page.getByRole('button', { name: 'Save the chosen values' }).click()
    await page.getByText('Changes saved.').waitFor()
    const { body } = await call('GET', '/firm')
    assert.deepEqual([body.phone, body.taxId], ['+1 902 555 0100', '123456789RT0001'])
  })

  it('has its currency from the next page on if it could not be read at first', async () => {
    const page = await running().open('#/contracts')
    await page.route(/\/firm$/, (route) => route.abort())
    await page.reload()
    await page.getByText('Total with tax: ').waitFor()
    assert.equal(await page.getByText('KWD').count(), 0)
    await page.unrouteAll()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('KWD').first().waitFor()
  })

  it('says why its currency can’t be changed', async () => {
    const page = await running().open('#/firm/edit')
    await page.getByLabel('Currency').selectOption({ label: 'EUR, Euro' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('KWD').waitFor()
  })
})
