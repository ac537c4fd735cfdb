import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describeConsole } from '../support/console-browser.ts'
import { chooseCsv } from '../support/console-pages.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

describeConsole('Correcting an import in the console', (running) => {
  const button = (page: Page, name: string) => page.getByRole('button', { name })

  it('lists the contracts imported from a file, even later, and credits them together, once', async () => {
    const { call, open } = running()
    await call('PUT', '/closing', { closedThrough: '2098-12-31', reason: 'All is filed.' })
    const row = (fee: string) => `11111111-1111-1111-1111-111111111111,'Quoted',wrong-run,${fee},10,2099-02-01`
    const file = `clientId,serviceName,serviceType,serviceFee,taxPercent,serviceDate\n${row('100.5')}\n${row('-5')}\n`
    await call('POST', '/contracts', aNewContract({ serviceType: 'wrong-run', serviceDate: '2099-02-01' }))
    const page = await open('#/import?kind=contracts')
    await chooseCsv(page, file, 'wrong.csv')
    await button(page, 'Check the file').click()
    await button(page, 'Import 2 rows').click()
    await page.getByText('2 contracts created.').waitFor()

    const later = await open('#/import?kind=contracts')
    await chooseCsv(later, file, 'renamed.csv')
    await button(later, 'Check the file').click()
    await button(later, 'Show its contracts').click()
    const rows = later.getByRole('table', { name: 'The contracts of this import' }).getByRole('row')
    await rows.nth(1).waitFor()
    const shown = (await rows.allInnerTexts()).slice(1).map((text) => text.replace(/\s+/g, ' '))
    assert.equal(shown.length, 2)
    assert.match(shown[0] ?? '', /'Quoted' wrong-run 10 110\.55 Feb 1, 2099 -110\.55$/)
    assert.match(shown[1] ?? '', /'Quoted' wrong-run 10 -5\.50 Feb 1, 2099 5\.50$/)
    await later.getByText('With tax, they come to 105.05 now, and 0.00 together with their credits.').waitFor()
    const statuses: number[] = []
    let searched = 0
    later.on('response', (answer) => {
      if (answer.request().method() === 'POST' && answer.url().endsWith('/contracts')) statuses.push(answer.status())
      if (answer.url().includes('search=%27Quoted')) searched += 1
    })
    const credit = async (answers: readonly number[]) => {
      searched = 0
      await button(later, 'Credit 2 contracts').click()
      await waitFor(() => searched === 2)
      await later.locator('.notice', { hasText: '2 contracts credited.' }).waitFor()
      assert.deepEqual(statuses.splice(0), answers)
    }
    await credit([201, 201])
    await credit([])
    // As if another user credited them at the same time.
    await later.route('**/contracts?*search=%27Quoted*', (route) =>
      route.fulfill({ json: { contracts: [], total: 0 } }),
    )
    await credit([201, 201])
    await later.clock.setFixedTime('2100-01-01T12:00:00Z')
    await chooseCsv(later, file)
    await button(later, 'Check the file').click()
    await button(later, 'Show its contracts').click()
    await later.getByText('Credit them on Jan 1, 2100').waitFor({ state: 'attached' })
    await credit([409, 409])
    const { contracts } = (await call('GET', '/contracts?serviceType=wrong-run')).body
    const [first, second, second2, first2] = contracts
    assert.equal(contracts.length, 5)
    assert.deepEqual(
      [first, second].map(({ serviceFee, serviceDate }) => [serviceFee, serviceDate.slice(0, 10)]).toSorted(),
      [
        [-100.5, '2099-01-01'],
        [5, '2099-01-01'],
      ],
    )
    const credited = [first, second].map(({ notes }) => notes).toSorted()
    assert.deepEqual(credited, [first2, second2].map(({ id }) => `Credit for contract ${id}`).toSorted())
    assert.equal(first.serviceName, second2.serviceName)
    await call('PUT', '/closing', { closedThrough: null, reason: 'over' })
  })

  it('credits only what earlier credits have left of a file’s contracts', async () => {
    const { call, open } = running()
    const row = (fee: string) => `11111111-1111-1111-1111-111111111111,Doubted,half-credited,${fee},10`
    const page = await open('#/import?kind=contracts')
    await chooseCsv(page, `clientId,serviceName,serviceType,serviceFee,taxPercent\n${row('100')}\n${row('50')}\n`)
    await button(page, 'Check the file').click()
    await button(page, 'Import 2 rows').click()
    await page.getByText('2 contracts created.').waitFor()
    const ofType = async () => (await call('GET', '/contracts?serviceType=half-credited')).body.contracts
    for (const { createdAt, updatedAt, totalFeeWithTax, id, ...contract } of await ofType()) {
      const notes = `Credit for contract ${id}`
      const serviceFee = contract.serviceFee === 100 ? -100 : -20.5
      assert.equal((await call('POST', '/contracts', { ...contract, serviceFee, notes })).status, 201)
    }
    await button(page, 'Show its contracts').click()
    await button(page, 'Credit 2 contracts').click()
    await page.getByText('2 contracts credited.').first().waitFor()
    const fees = (await ofType()).map(({ serviceFee }: { serviceFee: number }) => serviceFee)
    assert.deepEqual(fees.toSorted(), [-100, -20.5, -29.5, 50, 100].toSorted())
  })

  it('changes a file’s contracts together after a preview, with a reason if any is in a closed period', async () => {
    const { call, open } = running()
    const row = '11111111-1111-1111-1111-111111111111,Payroll,moved-run,100,10,2097-02-01'
    const page = await open('#/import?kind=contracts')
    await chooseCsv(page, `clientId,serviceName,serviceType,serviceFee,taxPercent,serviceDate\n${row}\n${row}\n`)
    await button(page, 'Check the file').click()
    await button(page, 'Import 2 rows').click()
    await button(page, 'Show its contracts').click()
    const change = page.getByLabel('What to do with all of them')
    await change.selectOption('Change: Tax %')
    await button(page, 'Change 2 contracts').click()
    await page.getByText('Enter the new value.').waitFor()
    await page.getByLabel('Tax %', { exact: false }).fill('0.125')
    await button(page, 'Change 2 contracts').click()
    await page.getByText('0.125% or 12.5%?').waitFor()
    await page.getByLabel('Tax %', { exact: false }).fill('12,5')
    await page.getByText('With tax, they come to 220.00 now, and 225.00 after the change.').waitFor()
    await button(page, 'Change 2 contracts').click()
    await page.getByText('2 contracts changed.').first().waitFor()
    await page.getByText('With tax, they come to 225.00 now').waitFor()

    await call('PUT', '/closing', { closedThrough: '2097-02-28', reason: 'February is filed.' })
    await change.selectOption('Change: Service date')
    await page.getByLabel('Service date').fill('2097-03-01')
    await button(page, 'Change 2 contracts').click()
    await page.getByText('Is Mar 1, 2097 right?').waitFor()
    await button(page, 'Change 2 contracts').click()
    await page.getByText('The books are closed through Feb 28, 2097.').waitFor()
    await page.getByLabel('Reason for saving anyway').fill('Imported a month early')
    await button(page, 'Change 2 contracts').click()
    const run = async () => (await call('GET', '/contracts?serviceType=moved-run')).body.contracts
    await waitFor(async () =>
      (await run()).every(({ serviceDate }: Record<string, string>) => serviceDate?.startsWith('2097-03-01')),
    )
    const contracts = await run()
    for (const { id, serviceDate, totalFeeWithTax } of contracts) {
      assert.deepEqual([serviceDate.slice(0, 10), totalFeeWithTax], ['2097-03-01', 112.5])
      const { events } = (await call('GET', `/contracts/${id}/history`)).body
      assert.deepEqual([events.length, events.at(-1).overrideReason], [3, 'Imported a month early'])
    }
    await call('PUT', '/closing', { closedThrough: null, reason: 'over' })
  })
})
