import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describeConsole } from '../support/console-browser.ts'
import { heading } from '../support/console-pages.ts'

describeConsole('The console’s languages', (running) => {
  const lang = async (page: Page) => await page.locator('html').getAttribute('lang')

  it('follow the browser’s, and set the document’s', async () => {
    const page = await running().open('#/keys', { locale: 'de-AT' })
    await heading(page, 'Schlüssel')
    assert.equal(await lang(page), 'de')
  })

  it('can be switched, including on the sign-in page, and the choice is remembered', async () => {
    const page = await running().open('', { key: undefined })
    await page.getByLabel('Language').selectOption('Français')
    await heading(page, 'Se connecter à Mint')
    await page.getByLabel('Clé d’API').fill(running().mint.key)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Se déconnecter' }).waitFor()
    await page.goto(`${running().mint.url}/console#/keys`)
    await heading(page, 'Clés')
    await page.getByLabel('Langue').selectOption('Deutsch')
    await heading(page, 'Schlüssel')
    await page.reload()
    await heading(page, 'Schlüssel')
    assert.equal(await lang(page), 'de')
  })

  it('format and parse dates and numbers in their own way', async () => {
    const { call, open } = running()
    const { clientId } = (await call('POST', '/businesses', { legalName: 'Huber' })).body
    const contract = { clientId, serviceName: 'Abschluss', serviceType: 'tax', serviceFee: 1234.5, taxPercent: 20 }
    const { id } = (await call('POST', '/contracts', { ...contract, serviceDate: '2026-03-31' })).body
    for (const [locale, date, total, typed] of [
      ['de-DE', '31.03.2026', '1.481,40', '2.000,50'],
      ['fr-CA', '31 mars 2026', '1\u00a0481,40', '2 000,50'],
    ] as const) {
      const page = await open(`#/contracts/${id}`, { locale })
      await page.getByText(date, { exact: true }).first().waitFor()
      await page.getByText(total, { exact: true }).first().waitFor()
      await page.goto(`${running().mint.url}/console#/contracts/${id}/edit`)
      await page.locator('#field-serviceFee').fill(typed)
      await page.locator('.form-end button').click()
      await page.locator('main [role="status"]').waitFor()
      assert.equal((await call('GET', `/contracts/${id}`)).body.serviceFee, 2000.5)
      await call('PATCH', `/contracts/${id}`, { serviceFee: 1234.5 })
    }
  })

  it('are switched only after the user agrees to lose unsaved input', async () => {
    const page = await running().open('#/contracts/new')
    await page.getByLabel('Service name').fill('Audit')
    const answers = [false, true]
    const questions: string[] = []
    page.on('dialog', async (dialog) => {
      questions.push(dialog.message())
      await (answers.shift() ? dialog.accept() : dialog.dismiss())
    })
    const select = page.getByLabel('Language')
    await select.selectOption('Deutsch')
    assert.equal(await select.inputValue(), 'en')
    assert.equal(await page.getByLabel('Service name').inputValue(), 'Audit')
    await select.selectOption('Deutsch')
    await page.getByLabel('Sprache').waitFor()
    assert.deepEqual(questions, Array(2).fill('Leave this page? What you typed here has not been saved.'))
  })
})

describeConsole('The console’s theme', (running) => {
  const background = async (page: Page) => await page.evaluate('getComputedStyle(document.body).backgroundColor')

  it('is the device’s until another one is chosen, which is remembered', async () => {
    const page = await running().open('', { key: undefined, colorScheme: 'light' })
    await page.getByLabel('Theme').waitFor()
    const light = await background(page)
    await page.getByLabel('Theme').selectOption('Dark')
    const dark = await background(page)
    assert.notEqual(dark, light)
    await page.reload()
    await page.getByLabel('Theme').waitFor()
    assert.equal(await background(page), dark)
    await page.getByLabel('Theme').selectOption('Same as device')
    assert.equal(await background(page), light)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await background(page), dark)
    assert.equal(await page.evaluate('localStorage.length'), 0)
  })
})
