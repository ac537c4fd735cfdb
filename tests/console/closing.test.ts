import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describeConsole } from '../support/console-browser.ts'
import { aNewContract, importContracts, OVERRIDING } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

const MONTH = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const

describeConsole('Closing in the console', (running) => {
  const button = (page: Page, name: string) => page.getByRole('button', { name })
  const closedThrough = async () => (await running().call('GET', '/closing')).body.closedThrough
  const bill = async (serviceDate: string, serviceFee: number) =>
    (await running().call('POST', '/contracts', aNewContract({ serviceDate, serviceFee, taxPercent: 10 }), OVERRIDING))
      .body.id

  /** Closes the books as a test needs them, then opens the page. */
  async function openClosed(through: string | null, reason = 'Filed.', options = {}): Promise<Page> {
    const { call, open } = running()
    await call('PUT', '/closing', { closedThrough: through, reason })
    return await open('#/closing', options)
  }

  it('shows the books as open if nothing was ever closed', async () => {
    const page = await running().open('#/closing')
    await page.getByText('Nothing has been closed so far.').waitFor()
    await button(page, 'Close a month').waitFor()
  })

  it('closes the next month after asking for a date and a reason, and showing the effects', async () => {
    await bill('2026-03-05', 100)
    const page = await openClosed('2026-02-28', 'February is filed.')
    await page.getByText('The books are closed through Feb 28, 2026.').waitFor()
    await button(page, 'Close a month').click()
    assert.equal(await page.getByLabel('Close through the end of').inputValue(), '2026-03-31')
    await button(page, 'Continue').click()
    await page.getByText('Enter the reason.').waitFor()
    assert.equal(await page.evaluate('document.activeElement.id'), 'field-reason')
    await page.getByLabel('Reason').fill('March is filed.')
    await button(page, 'Continue').click()
    await page.getByText('This closes one contract: 110.00 with tax.').waitFor()
    await page.getByText('can then no longer be created or edited').waitFor()
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Close through Mar 31, 2026?')
    assert.equal(await closedThrough(), '2026-02-28')
    await button(page, 'Close through Mar 31, 2026').click()
    await page.getByText('The books are closed through Mar 31, 2026.').first().waitFor()
    await page.locator('.closing-actions button:focus').waitFor()
    assert.equal(await closedThrough(), '2026-03-31')
    const closings = page.getByRole('table', { name: 'Every closing, newest first' })
    const history = await closings.getByRole('row').allTextContents()
    assert.match(history[1] ?? '', /Mar 31, 2026\s+March is filed\./)
    assert.match(history[2] ?? '', /Feb 28, 2026\s+February is filed\./)
  })

  it('shows what has changed in the closed period since, and again before the next closing is confirmed', async () => {
    const { call, open } = running()
    await call('PUT', '/closing', { closedThrough: null, reason: 'Filed too early.' })
    const id = await bill('2026-02-10', 100)
    await call('PUT', '/closing', { closedThrough: '2026-02-28', reason: 'Filed again.' })
    await call('PATCH', `/contracts/${id}`, { serviceFee: 120 }, OVERRIDING)
    await bill('2026-02-11', 5)
    await call('PATCH', `/contracts/${await bill('2026-03-12', 9)}`, { serviceFee: 10 })
    const page = await open('#/closing')
    const shown = async () => {
      await page
        .getByText('2 contracts differ. In all, the total with tax is 27.50 higher, the tax 2.50 higher.')
        .waitFor()
      const changes = await page.locator('.timeline > li').allTextContents()
      return changes.map((text) => text.replace(/\s+/g, ' '))
    }
    const [added = '', edited = ''] = await shown()
    assert.match(added, /^ ?Contract \d+ for [0-9a-f-]+, by first, .*: new in the closed period, 5\.50 higher/)
    assert.match(
      edited,
      new RegExp(
        `Contract ${id} for [0-9a-f-]+, by first, .*: changed, 22\\.00 higher .*Service fee 100\\.00 →to 120\\.00`,
      ),
    )
    await button(page, 'Close a month').click()
    await page.getByLabel('Reason').fill('March is filed.')
    await button(page, 'Continue').click()
    await button(page, 'Close through Mar 31, 2026').waitFor()
    assert.equal((await shown()).length, 2)
    assert.equal(await page.locator('.confirmation .timeline').count(), 0, 'the buttons come before long lists')
  })

  it('warns before closing a month that isn’t over yet', async () => {
    const page = await openClosed('2026-03-31')
    const isNotOver = page.getByText('isn’t over yet')
    const ask = async (month: number) => {
      await button(page, 'Close a month').click()
      const months = page.getByLabel('Close through the end of').getByRole('option')
      await page.getByLabel('Close through the end of').selectOption({ index: (await months.count()) - month })
      await page.getByLabel('Reason').fill('Filed.')
      await button(page, 'Continue').click()
    }
    await ask(1)
    await isNotOver.waitFor()
    await button(page, 'Back').click()
    await button(page, 'Cancel').click()
    await waitFor(async () => (await page.evaluate('document.activeElement.textContent')) === 'Close a month…')
    await ask(2)
    await button(page, 'Close through').waitFor()
    assert.equal(await isNotOver.count(), 0)
  })

  it('shows what has changed since an earlier closing, even after a later one', async () => {
    const { call } = running()
    const id = await bill('2026-04-10', 100)
    await call('PUT', '/closing', { closedThrough: '2026-04-30', reason: 'April is filed.' })
    await call('PATCH', `/contracts/${id}`, { serviceFee: 140 }, OVERRIDING)
    const page = await openClosed('2026-05-31', 'May is filed.')
    const april = page.getByRole('row', { name: 'April is filed.' })
    await april.getByRole('link', { name: /^Show what has changed since/ }).click()
    // The list of changes since all closings may contain the same text.
    await page.getByRole('heading', { name: /^Changed since \w+ \d/ }).waitFor()
    await page.getByText('One contract differs. In all, the total with tax is 44.00 higher').waitFor()
    assert.match(String(await page.evaluate('document.activeElement.textContent')), /^Changed since /)
    await page.reload()
    await page.getByText('At that time, the books were closed through Apr 30, 2026').waitFor()
    await page.getByText('44.00 higher').first().waitFor()
    const may = page.getByRole('row', { name: 'May is filed.' })
    await may.getByRole('link', { name: /^Show what has changed since/ }).click()
    await page.getByText('Nothing: every contract is as it was then.').waitFor()
    await page.getByRole('link', { name: 'Show what has changed since each day was closed' }).click()
    await page.getByText('Changed since the books were closed').waitFor()
  })

  it('shows what each closed month billed then and now, and who made which corrections, when and why', async () => {
    const { call, open } = running()
    const close = (closedThrough: string | null) => call('PUT', '/closing', { closedThrough, reason: 'Filed.' })
    await close(null)
    // Two contracts, each with a rounded total: 10.004 and 10.005.
    const id = await bill('2031-01-10', 9.0945)
    await bill('2031-01-11', 9.0955)
    await close('2031-01-31')
    await bill('2031-02-10', 50)
    await close('2031-02-28')
    const { body: key } = await call('POST', '/api-keys', {
      name: 'Ann',
      scopes: ['contracts:write', 'closing:override'],
    })
    const correct = (changes: object, reason: string) =>
      call('PATCH', `/contracts/${id}`, changes, {
        authorization: `Bearer ${key.key}`,
        'closing-override': encodeURIComponent(reason),
      })
    await correct({ notes: 'Sent twice' }, 'A note')
    await correct({ serviceFee: 100 }, 'Zu “spät”')
    await close('2031-03-31')
    await close('2031-02-28')
    const page = await open('#/closing')
    const table = page.getByRole('table', { name: /^Billed in the closed months/ })
    const cells = async (name: string) =>
      (await table.getByRole('row', { name }).getByRole('cell').allInnerTexts()).toSpliced(0, 1)
    await table.waitFor()
    assert.deepEqual(await cells('February 2031'), ['55.00', '55.00', 'unchanged'])
    assert.deepEqual(await cells('January 2031'), ['20.01', '120.01', '100.00 higher'])
    const correction = page.locator('.timeline > li', { hasText: `Contract ${id} ` })
    const reasons = correction.getByText('Reason: ')
    await reasons.first().waitFor()
    const shown = (await reasons.allInnerTexts()).map((text) => text.replace(/\w+ \d+, \d{4}, .*M/, 'then'))
    assert.deepEqual(shown, ['Reason: Zu “spät” (Ann, then)', 'Reason: A note (Ann, then)'])
    await close(null)
  })

  it('fetches what was billed in all closed months at once', async () => {
    const { call, open } = running()
    const close = (closedThrough: string | null) => call('PUT', '/closing', { closedThrough, reason: 'Filed.' })
    await close(null)
    for (const day of ['2032-01-31', '2032-02-29', '2032-03-31']) await close(day)
    const page = await open('#/keys')
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('groupBy=month') && asked.push(request.url()))
    await page.evaluate(`location.hash = '#/closing'`)
    await page.getByText('Nothing: every contract is as it was then.').waitFor()
    assert.equal(asked.length, 1)
    await close(null)
  })

  it('lists the newest of many corrections, with a link to all', async () => {
    const { call, open } = running()
    const close = (closedThrough: string | null) => call('PUT', '/closing', { closedThrough, reason: 'Filed.' })
    await close(null)
    await close('2033-01-31')
    const { clientId } = aNewContract()
    const rows = Array.from({ length: 12 }, (_, index) => `${clientId},Late ${index}.,late,1,0,2033-01-10`)
    await importContracts(call, ['clientId,serviceName,serviceType,serviceFee,taxPercent,serviceDate', ...rows])
    await call('PATCH', `/contracts/${await bill('2033-02-10', 1)}`, { serviceFee: 2 })
    const page = await open('#/closing')
    await page.getByText('12 contracts differ.').waitFor()
    await page.getByText('The newest 10 are listed.').waitFor()
    const items = page.locator('.timeline > li')
    assert.equal(await items.count(), 10)
    await page.getByRole('link', { name: 'Show everything changed in the closed period' }).click()
    await items.filter({ hasText: 'Late 0.' }).waitFor()
    assert.equal(await items.filter({ hasText: /: Late \d+\./ }).count(), 12)
    assert.equal(await items.count(), await items.filter({ hasText: 'In a closed period: ' }).count())
    await page.getByLabel('Closed period').selectOption('All')
    await items.filter({ hasNotText: 'In a closed period: ' }).first().waitFor()
    await close(null)
  })

  it('shows billed amounts everywhere, so that sentences, changes and months agree', async () => {
    const { call, open } = running()
    const close = (closedThrough: string | null) => call('PUT', '/closing', { closedThrough, reason: 'Filed.' })
    await close(null)
    // 10.00395 with tax: billed as 10.00.
    const ids = [await bill('2032-01-10', 9.0945), await bill('2032-01-11', 9.0945), await bill('2032-01-12', 9.0945)]
    await close('2032-01-31')
    // 10.00505 with tax: billed as 10.01.
    for (const id of ids) await call('PATCH', `/contracts/${id}`, { serviceFee: 9.0955 }, OVERRIDING)
    const page = await open('#/closing')
    // The tax expands to its exact digits.
    await page
      .getByText('3 contracts differ. In all, the total with tax is 0.03 higher, the tax 0.03 exactly 0.027 higher.')
      .waitFor()
    const all = page.getByRole('table', { name: /^Billed in the closed months/ }).getByRole('row', { name: 'All' })
    assert.equal(await all.getByRole('cell').last().innerText(), '0.03 higher')
    const changes = await page.locator('.timeline > li .change-line').allInnerTexts()
    assert.deepEqual(
      changes.map((text) => text.split('changed, ')[1]),
      Array(3).fill('0.01 higher'),
    )
    await button(page, 'Reopen').click()
    await page.getByLabel('Reason').fill('A fee was wrong.')
    await button(page, 'Continue').click()
    await page.getByText('This reopens 3 contracts: 30.03 with tax.').waitFor()
    await close(null)
  })

  it('lists the latest twelve closed months, and earlier ones that have changed on request', async () => {
    const { call, open } = running()
    const monthsOf = (year: number) =>
      Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`)
    const close = (closedThrough: string | null) => call('PUT', '/closing', { closedThrough, reason: 'Filed.' })
    await close(null)
    const ids: string[] = []
    for (const month of [...monthsOf(2033), ...monthsOf(2034)]) ids.push(await bill(`${month}-10`, 100))
    await close('2034-12-31')
    for (const id of [ids[2], ids[5], ids[20]]) await call('PATCH', `/contracts/${id}`, { serviceFee: 90 }, OVERRIDING)
    const page = await open('#/closing')
    const changed = page.locator('.closing-changes')
    await changed.getByRole('row', { name: 'All months' }).waitFor()
    const months = async () => (await changed.locator('tbody th').allInnerTexts()).filter((text) => text !== '')
    const latest = monthsOf(2034)
      .map((month) => new Date(month).toLocaleDateString('en', MONTH))
      .reverse()
    assert.deepEqual(await months(), latest)
    await changed.getByText('Earlier months are listed only if they have changed.').waitFor()
    await changed.getByText('Show more (2)').click()
    assert.deepEqual(await months(), [...latest, 'June 2033', 'March 2033'])
    await close(null)
  })

  it('never silently overwrites another user’s closing', async () => {
    const { call } = running()
    const page = await openClosed('2026-02-28')
    await button(page, 'Close a month').click()
    await page.getByLabel('Reason').fill('March is filed.')
    await button(page, 'Continue').click()
    await call('PUT', '/closing', { closedThrough: '2026-01-31', reason: 'February needs a correction.' })
    await button(page, 'Close through Mar 31, 2026').click()
    await page.getByText('somebody else has changed the closing').waitFor()
    await page.getByText('The books are closed through Jan 31, 2026.').waitFor()
    await page.locator('.closing-state').getByText('February needs a correction.').waitFor()
    assert.equal(await closedThrough(), '2026-01-31')
    assert.equal(await page.getByLabel('Reason').inputValue(), 'March is filed.')
    await button(page, 'Continue').click()
    await button(page, 'Close through Mar 31, 2026').click()
    await page.getByText('The books are closed through Mar 31, 2026.').first().waitFor()
  })

  it('asks for confirmation of the month in the form after another user has closed more', async () => {
    const { call } = running()
    const page = await openClosed('2026-02-28')
    await button(page, 'Close a month').click()
    await page.getByLabel('Reason').fill('March is filed.')
    await button(page, 'Continue').click()
    await call('PUT', '/closing', { closedThrough: '2026-04-30', reason: 'April is filed.' })
    await button(page, 'Close through Mar 31, 2026').click()
    await page.getByText('somebody else has changed the closing').waitFor()
    assert.equal(await page.getByLabel('Close through the end of').inputValue(), '2026-05-31')
    await button(page, 'Continue').click()
    await button(page, 'Close through May 31, 2026').waitFor()
  })

  it('doesn’t suggest another month if only the answer that the books are closed was lost', async () => {
    const page = await openClosed('2026-02-28')
    await button(page, 'Close a month').click()
    await page.getByLabel('Reason').fill('March is filed.')
    await button(page, 'Continue').click()
    await page.route('**/closing', async (route) => {
      if (route.request().method() !== 'PUT') return await route.continue()
      await route.fetch()
      await route.abort()
    })
    await button(page, 'Close through Mar 31, 2026').click()
    await page.getByText('No answer came, so it may already be saved.').waitFor()
    await page.getByText('The books are closed through Mar 31, 2026.').first().waitFor()
    await button(page, 'Close a month').waitFor()
    assert.equal(await page.getByLabel('Reason').count(), 0)
  })

  it('offers no further month once everything is closed', async () => {
    const page = await openClosed('9999-12-31')
    await button(page, 'Reopen').waitFor()
    assert.equal(await button(page, 'Close a month').count(), 0)
  })

  it('reopens the books after showing the effects', async () => {
    const page = await openClosed('2026-03-31')
    await button(page, 'Reopen').click()
    assert.equal(await page.getByLabel('Leave closed through').inputValue(), '2026-02-28')
    await page.getByLabel('Reason').fill('A fee was wrong.')
    await button(page, 'Continue').click()
    await page.getByText('totals that were already reported may change').waitFor()
    await button(page, 'Reopen from Mar 1, 2026').click()
    await page.getByText('The books are closed through Feb 28, 2026.').first().waitFor()
    await page.getByRole('row', { name: /^Feb 28, 2026\s+Reopened\s+A fee was wrong/ }).waitFor()
    await button(page, 'Reopen').click()
    await page.getByLabel('Leave closed through').selectOption('no date (reopen everything)')
    await page.getByLabel('Reason').fill('All are wrong.')
    await button(page, 'Continue').click()
    await button(page, 'Reopen everything').click()
    await page.getByText('The books are open.').first().waitFor()
    assert.equal(await closedThrough(), null)
  })

  it('lists the newest twelve closings, and the earlier ones on request', async () => {
    const days = Array.from({ length: 12 }, (_, index) => `2025-${String(index + 1).padStart(2, '0')}-15`)
    await running().call('PUT', '/closing', { closedThrough: null, reason: 'Too early to list.' })
    for (const closedThrough of days) await running().call('PUT', '/closing', { closedThrough, reason: 'Listed.' })
    const page = await running().open('#/closing')
    await page.getByRole('row', { name: 'Jan 15, 2025' }).waitFor()
    const early = page.getByRole('row', { name: 'Too early to list.' })
    assert.equal(await early.count(), 0)
    await page.getByText('Show more (').click()
    await early.waitFor()
  })

  it('names the required scope if a key may only read', async () => {
    const { call } = running()
    const { body } = await call('POST', '/api-keys', { name: 'Reader', scopes: ['contracts:read'] })
    const page = await openClosed('2026-02-28', 'Filed.', { key: body.key })
    await page.getByText('requires a key with the scope closing:write').waitFor()
    assert.equal(await button(page, 'Close a month').count(), 0)
  })
})
