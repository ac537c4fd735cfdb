import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describeConsole, holdRequests } from '../support/console-browser.ts'
import { nextFrame } from '../support/console-pages.ts'
import { reported } from '../support/console-windows.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

/** Notes what screen readers announce because it has changed. */
const NOTE_ANNOUNCEMENTS = `{
  const status = document.querySelector('p.visually-hidden[role=status]')
  window.announced = []
  new MutationObserver(() => announced.push(status.textContent.trim()))
    .observe(status, { characterData: true, childList: true, subtree: true })
}`

const announced = async (page: Page): Promise<readonly string[]> => (await page.evaluate('announced')) as string[]

describeConsole('The frame of the console', (running) => {
  const heading = (page: Page) => page.getByRole('heading', { level: 1 })
  const seen = async (page: Page, name: string) => await heading(page).filter({ hasText: name }).waitFor()

  it('asks for a key, explains why one is refused, and stays signed in across reloads until the user signs out', async () => {
    const page = await running().open('#/contracts', { key: undefined })
    await page.locator('#key:focus').waitFor()
    const signIn = async (key: string) => {
      await page.getByLabel('API key').fill(key)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await signIn('secret')
    await page.getByText('begins with mint_').last().waitFor()
    await signIn(`mint_${'0'.repeat(36)}`)
    await page.getByText('Mint doesn’t know this key').waitFor()
    await signIn(running().mint.key)
    await seen(page, 'Contracts')
    assert.equal(await page.title(), 'Contracts · Mint')
    await page.reload()
    await seen(page, 'Contracts')
    assert.deepEqual(await page.context().cookies(), [])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Sign in to Mint')
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
  })

  it('shares the key with tabs opened later, signs out all of them, and forgets it with the last one', async () => {
    const first = await running().open('#/contracts', { key: undefined })
    await first.getByLabel('API key').fill(running().mint.key)
    await first.getByRole('button', { name: 'Sign in' }).click()
    await seen(first, 'Contracts')
    const second = await first.context().newPage()
    await second.goto(`${running().mint.url}/console#/businesses`)
    await seen(second, 'Clients')
    await second.getByRole('button', { name: 'Sign out' }).click()
    await second.getByLabel('API key').waitFor()
    await first.getByText('You signed out in another tab.').waitFor()
    assert.equal(await first.evaluate('document.activeElement.textContent'), 'Sign in to Mint')
    const third = await first.context().newPage()
    await third.goto(`${running().mint.url}/console#/businesses`)
    await third.getByLabel('API key').waitFor()
    for (const page of [first, second, third]) assert.equal(await page.evaluate('sessionStorage.length'), 0)
  })

  it('works while the browser blocks its storage, as it does together with cookies', async () => {
    const page = await running().open('#/contracts', { key: undefined })
    const blocking = await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, { get() { throw new DOMException('Blocked', 'SecurityError') } })
    }`)
    await page.reload()
    await page.getByLabel('Theme').selectOption('Dark')
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    await page.getByLabel('API key').fill(running().mint.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await seen(page, 'Contracts')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    await blocking.dispose()
  })

  it('isn’t translated by browsers, which replace its texts by ones that it can’t update', async () => {
    const page = await running().open('#/contracts')
    assert.equal(await page.evaluate('document.documentElement.translate'), false)
  })

  it('says what to do if a part of it doesn’t fit the others, because Mint was upgraded meanwhile', async () => {
    const page = await running().open('#/contracts')
    const body = "import { removed } from '../frame/focus.ts'; export const gridPage = removed"
    await page.route(/grid-page\.ts$/, (route) => route.fulfill({ contentType: 'text/javascript', body }))
    await page.getByRole('link', { name: 'Enter several' }).click()
    await page.getByText('Mint was upgraded: reload the page').waitFor()
    await page.unrouteAll()
    await page.reload()
    await page.getByRole('button', { name: 'Save all' }).waitFor()
  })

  it('says that it failed instead of showing what it showed before', async () => {
    const page = await running().open('#/contracts')
    const body = "export const importPage = () => ({ title: () => '', view() { throw new Error('Newer') } })"
    await page.route(/import-page\.ts$/, (route) => route.fulfill({ contentType: 'text/javascript', body }))
    await page.getByRole('link', { name: 'Import' }).click()
    await page.getByText('The console failed: Error: Newer. Reload the page.').waitFor()
    await page.goBack()
    await seen(page, 'Contracts')
    // Reported each time that the page would have been shown.
    assert.deepEqual([...new Set(reported.splice(0))], ['Error: Newer'])
  })

  it('hides the navigation behind a menu on a narrow screen', async () => {
    const page = await running().open('#/contracts', { viewport: { width: 320, height: 640 } })
    await seen(page, 'Contracts')
    assert.equal(await page.getByRole('link', { name: 'Clients' }).isVisible(), false)
    await page.getByRole('button', { name: 'Menu', expanded: false }).click()
    await page.getByRole('link', { name: 'Clients' }).click()
    await seen(page, 'Clients')
    await page.getByRole('button', { name: 'Menu', expanded: false }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Contracts' }).isVisible(), false)
  })

  it('moves the focus to the heading after navigating to a page', async () => {
    const page = await running().open('#/contracts')
    await page.getByRole('link', { name: 'Clients' }).click()
    await seen(page, 'Clients')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Clients')
  })

  it('follows a link even if what was typed before is searched for at that moment', async () => {
    const page = await running().open('#/contracts')
    await page.locator('#search').waitFor()
    await page.evaluate(`{
      const timers = []
      const { setTimeout } = window
      window.setTimeout = (run) => timers.push(run)
      const search = document.querySelector('#search')
      search.value = 'payroll'
      search.dispatchEvent(new Event('input', { bubbles: true }))
      window.setTimeout = setTimeout
      location.hash = '#/clients'
      for (const run of timers) run()
    }`)
    await seen(page, 'Clients')
    await page.goBack()
    await seen(page, 'Contracts')
  })

  it('gives the focus back to a button that was disabled while it was at work, unless the user moved on', async () => {
    const page = await running().open('#/contracts')
    const button = page.getByRole('button', { name: 'Save as CSV', exact: true })
    const saveAndFocus = async (then: () => Promise<unknown>) => {
      const release = await holdRequests(page, /contracts\.csv/)
      await button.focus()
      await page.keyboard.press('Enter')
      await page.locator('button:disabled', { hasText: 'Save as CSV' }).waitFor()
      await nextFrame(page)
      await then()
      const saved = page.waitForEvent('download')
      release()
      await saved
      await page.locator('button:enabled', { hasText: 'Save as CSV' }).waitFor()
      await nextFrame(page)
      await page.unrouteAll()
      return await page.evaluate('document.activeElement.textContent.trim() || document.activeElement.id')
    }
    assert.equal(await saveAndFocus(async () => {}), 'Save as CSV')
    assert.equal(await saveAndFocus(() => page.locator('#find').focus()), 'find')
  })

  it('gives the focus of what disappears to what comes before it, and announces each change, even the same one again', async () => {
    const { call, open } = running()
    const { id } = (await call('POST', '/contracts', aNewContract())).body
    const page = await open(`#/contracts/${id}`)
    await page.evaluate(NOTE_ANNOUNCEMENTS)
    await page.getByRole('link', { name: 'As it stood then' }).press('Enter')
    const toToday = page.getByRole('link', { name: 'Back to today' })
    await toToday.press('Enter')
    await toToday.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Firm', 'the end of the navigation')
    await page.getByRole('link', { name: 'Contracts', exact: true }).click()
    for (let times = 1; times <= 2; times++) {
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save as CSV' }).click()
      await saved
      await waitFor(async () => (await announced(page)).filter((text) => text === 'File saved.').length === times)
    }
    const [past, today] = await announced(page)
    assert.match(String(past), /^on .* [AP]M$/)
    assert.equal(today, 'Back to today')
  })

  it('works behind a proxy that serves Mint under a prefix', async () => {
    const { mint, open } = running()
    const page = await open('#/clients')
    await page.getByText('No matches').first().waitFor()
    await page.route(`${mint.url}/firm/**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace('/firm/', '/') })
      await route.fulfill({ response })
    })
    const elsewhere: string[] = []
    page.on('request', (request) => elsewhere.push(request.url()))
    await page.goto(`${mint.url}/firm/console#/clients`)
    await seen(page, 'Clients')
    await page.getByText('No matches').first().waitFor()
    assert.deepEqual(
      elsewhere.filter((url) => !url.startsWith(`${mint.url}/firm/`)),
      [],
    )
  })

  it('keeps a partly typed date while a page loads, until the control loses focus', async () => {
    const { call, open } = running()
    await call('POST', '/contracts', aNewContract())
    const page = await open('#/businesses')
    assert.equal(await page.getByLabel('As of').count(), 0, 'a list shows today')
    const release = await holdRequests(page, '**/reports/contracts?*')
    await page.getByRole('link', { name: 'Overview' }).click()
    const control = page.getByLabel('As of')
    await control.focus()
    await page.keyboard.type('033120')
    release()
    await page.locator('.tiles').first().waitFor()
    assert.equal(await control.inputValue(), '0020-03-31')
    await control.blur()
    assert.equal(await control.inputValue(), '')
  })

  it('offers only what the key may do', async () => {
    const { call, open } = running()
    const { body: contract } = await call('POST', '/contracts', aNewContract())
    const opened = async (hash: string, scopes: readonly string[]) => {
      const { body } = await call('POST', '/api-keys', { name: 'Some', scopes })
      return await open(hash, { key: body.key })
    }
    const linksOf = async (page: Page) => await page.getByRole('navigation').getByRole('link').allTextContents()

    const reader = await opened(`#/contracts/${contract.id}`, ['contracts:read'])
    await reader.getByRole('heading', { name: `Contract ${contract.id}` }).waitFor()
    assert.deepEqual(await linksOf(reader), ['Overview', 'Contracts', 'Proposals', 'Closing', 'Changes', 'Firm'])
    assert.equal(await reader.getByRole('link', { name: 'Edit', exact: true }).count(), 0)
    await reader.getByRole('link', { name: 'Contracts', exact: true }).click()
    await reader.locator('.range').waitFor()
    assert.equal(await reader.getByRole('link', { name: 'New contract' }).count(), 0)

    const writer = await opened(`#/contracts/${contract.id}`, ['contracts:read', 'contracts:write'])
    await writer.getByRole('link', { name: 'Edit', exact: true }).waitFor()
    assert.deepEqual(await linksOf(writer), [
      'Overview',
      'Contracts',
      'Proposals',
      'Closing',
      'Changes',
      'Import',
      'Firm',
    ])

    const operator = await opened('', ['operations:read'])
    await operator.getByRole('heading', { name: 'Health' }).waitFor()
    assert.deepEqual(await linksOf(operator), ['Health', 'Firm'])
  })

  it('stays signed in when a request with an earlier key gets a late 401', async () => {
    const { call, open, mint } = running()
    await call('POST', '/contracts', aNewContract())
    const scopes = ['contracts:read', 'clients:read']
    const { body: earlier } = await call('POST', '/api-keys', { name: 'Earlier', scopes })
    const page = await open('#/closing', { key: earlier.key })
    const release = await holdRequests(page, '**/clients/names*')
    await page.getByRole('link', { name: 'Contracts' }).click()
    await page.locator('.range').waitFor()
    await call('DELETE', `/api-keys/${earlier.id}`)
    const isRefused = async () =>
      (await call('GET', '/closing', undefined, { authorization: `Bearer ${earlier.key}` })).status === 401
    await waitFor(isRefused)
    await page.getByLabel('Search').fill('some')
    await page.getByText('Mint no longer accepts your API key').waitFor()
    await page.getByLabel('API key').fill(mint.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.range').waitFor()
    const late = page.waitForResponse(/clients\/names/)
    release()
    assert.equal((await late).status(), 401)
    await page.evaluate("fetch('healthz').then((answer) => answer.text())")
    assert.equal(await page.evaluate("sessionStorage.getItem('mint-api-key')"), mint.key)
  })

  it('shows the past when a date is typed, and returns to today on request', async () => {
    const page = await running().open('#/overview')
    await page.getByLabel('As of').focus()
    await page.keyboard.type('03312026')
    await page.getByText('As it stood at the end of Mar 31, 2026').waitFor()
    assert.equal(await page.getByLabel('As of').inputValue(), '2026-03-31')
    // The end of the day in Montreal: the same moment for anyone who opens the address.
    assert.match(page.url(), /asOf=2026-04-01T03%3A59%3A59.999Z/)
    await page.getByRole('link', { name: 'Back to today' }).click()
    await page.getByText('As it stood').waitFor({ state: 'detached' })
    assert.doesNotMatch(page.url(), /asOf/)
  })
})
