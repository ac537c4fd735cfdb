import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describeConsole, holdRequests } from '../support/console-browser.ts'
import { heading, range } from '../support/console-pages.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

describeConsole('The search box on every page of the console', (running) => {
  const clients: Record<string, string> = {}
  let contract = 0

  before(async () => {
    const { call } = running()
    for (const [legalName, businessNumber] of [
      ['O’Brien & Söhne', '900411'],
      ['Garage Roy 411', 'NE–77 42'],
    ]) {
      clients[legalName ?? ''] = (await call('POST', '/businesses', { legalName, businessNumber })).body.clientId
    }
    const bill = async (name: string) => {
      const body = aNewContract({ clientId: clients[name], serviceName: `Payroll of ${name}` })
      return (await call('POST', '/contracts', body)).body.id
    }
    contract = await bill('Garage Roy 411')
    await bill('O’Brien & Söhne')
    await waitFor(async () => (await call('GET', '/clients')).body.total === 2)
  })

  const box = (page: Page) => page.getByRole('combobox', { name: 'Find' })
  const finds = async (page: Page, ...expected: readonly string[]) => {
    const options = page.getByRole('listbox', { name: 'Found' }).getByRole('option')
    await waitFor(async () => {
      assert.deepEqual(await options.allInnerTexts(), expected)
      return true
    })
  }

  it('finds a client by parts of its name in any order, without accents, by keyboard alone', async () => {
    const page = await running().open('#/closing')
    await heading(page, 'Closing')
    await page.keyboard.press('/')
    await page.keyboard.type("sohne o'b")
    await finds(page, 'O’Brien & Söhne Client')
    await page.keyboard.press('Enter')
    await heading(page, 'O’Brien & Söhne')
    assert.equal(await box(page).inputValue(), '')
  })

  it('scrolls to the option that the keyboard is at', async () => {
    const { call, open } = running()
    for (let number = 1; number <= 8; number++) await call('POST', '/businesses', { legalName: `Cedar ${number}` })
    await waitFor(async () => (await call('GET', '/clients?search=Cedar')).body.total === 8)
    const page = await open('#/contracts')
    await box(page).fill('c')
    const found = page.getByRole('listbox', { name: 'Found' })
    const options = found.getByRole('option')
    await options.nth(10).waitFor()
    await page.keyboard.press('ArrowUp')
    await found.getByRole('option', { selected: true }).waitFor()
    const [list, last] = await Promise.all([found.boundingBox(), options.last().boundingBox()])
    assert.ok(list && last && last.y + last.height <= list.y + list.height, JSON.stringify([list, last]))
  })

  it('is empty again on the next page', async () => {
    const page = await running().open('#/closing')
    await heading(page, 'Closing')
    await box(page).fill('nobody')
    await page.getByRole('link', { name: 'Contracts', exact: true }).click()
    await heading(page, 'Contracts')
    assert.equal(await box(page).inputValue(), '')
  })

  it('finds a contract by its number, and a business by its number, e-mail address or tax ID, not by digits in its name', async () => {
    const { call, open } = running()
    await call('POST', '/businesses', { legalName: 'Moulin', email: 'compta@moulin-blanc.example', taxId: 'FR 83 404' })
    const page = await open('#/keys')
    await heading(page, 'Keys')
    await box(page).fill(`#${contract}`)
    await page.keyboard.press('Enter')
    await heading(page, `Contract ${contract}`)
    await box(page).fill('42 ne-77')
    await finds(page, 'NE–77 42: Garage Roy 411 Business')
    await box(page).fill('Compta@moulin-blanc')
    await page.locator('.find').getByText('Nothing found.').waitFor()
    await box(page).fill('Compta@moulin-blanc.example')
    await finds(page, 'compta@moulin-blanc.example: Moulin Business')
    await box(page).fill('fr 83 404')
    await finds(page, 'FR 83 404: Moulin Business')
    await box(page).fill('411')
    await finds(page, '900411: O’Brien & Söhne Business', 'Garage Roy 411 Client')
    await page.getByRole('option', { name: '900411' }).click()
    await heading(page, 'O’Brien & Söhne')
  })

  it('finds a page, and opens it as of the date that the console shows', async () => {
    const page = await running().open('#/overview?asOf=2026-03-31')
    await box(page).fill('clos')
    await finds(page, 'Closing Page')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await heading(page, 'Closing')
    assert.match(page.url(), /#\/closing\?asOf=2026/)
  })

  it('opens the match for the latest text, even if Enter is pressed before the answer arrives', async () => {
    const page = await running().open('#/keys')
    await box(page).fill('garage')
    await finds(page, 'Garage Roy 411 Client')
    const release = await holdRequests(page, '**/clients?search=brien*')
    await box(page).fill('brien')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    release()
    await heading(page, 'O’Brien & Söhne')
  })

  it('says if nothing is found, and if it can’t search', async () => {
    const page = await running().open('#/keys')
    await box(page).fill('nobody')
    await page.locator('.find').getByText('Nothing found.').waitFor()
    await page.context().setOffline(true)
    await box(page).fill('nobody else')
    await page.locator('.find').getByText('Mint can’t be searched now.').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.find').getByText('Mint can’t be searched now.').waitFor({ state: 'hidden' })
  })

  it('finds only what the key may see', async () => {
    const { call, open } = running()
    const { body } = await call('POST', '/api-keys', { name: 'Contracts only', scopes: ['contracts:read'] })
    const page = await open('#/closing', { key: body.key })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await box(page).fill('411')
    await page.locator('.find').getByText('Nothing found.').waitFor()
    const searched = asked.filter((path) => /^\/(contracts|businesses|clients)/.test(path))
    assert.deepEqual(searched, ['/contracts/411'])
    await box(page).fill('c')
    await page.getByRole('option', { name: 'Contracts Page' }).waitFor()
    await finds(page, 'Contracts Page', 'Closing Page', 'Changes Page')
  })

  describe('and the search of contracts', () => {
    it('offers the contract with that number', async () => {
      const page = await running().open('#/contracts')
      await page.getByLabel('Search').fill(String(contract))
      await page.getByRole('link', { name: `Contract ${contract}: Payroll of Garage Roy 411` }).click()
      await heading(page, `Contract ${contract}`)
    })

    it('offers the contracts of a client with that name', async () => {
      const page = await running().open('#/contracts')
      await page.getByLabel('Search').fill('sohne')
      await page.getByRole('link', { name: 'Contracts of O’Brien & Söhne' }).click()
      await page.waitForURL(/clientId=/)
      await range(page, '1–1 of 1')
      await page.getByRole('table').getByText('Payroll of O’Brien & Söhne').waitFor()
    })
  })
})
