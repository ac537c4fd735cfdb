import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { SCOPES } from '../../shared/api-keys/scopes.ts'
import { describeConsole, holdRequests } from '../support/console-browser.ts'
import { heading } from '../support/console-pages.ts'
import { isGeneratedSecret } from '../support/generated-secret.ts'
import { restClient } from '../support/rest.ts'

describeConsole('The key pages of the console', (running) => {
  const seen = (page: Page, name: string) => heading(page, name, { exact: true })
  const issued = (page: Page) => page.getByLabel('Key', { exact: true })
  const click = async (page: Page, name: string) => await page.getByRole('button', { name, exact: true }).click()

  const newKey = async (name: string, scopes: readonly string[]): Promise<{ id: string; key: string }> =>
    (await running().call('POST', '/api-keys', { name, scopes })).body

  /** Whether Mint accepts a key, regardless of its scopes. */
  const isTaken = async (key: string): Promise<boolean> =>
    (await restClient({ url: running().mint.url, key })('GET', '/clients?limit=1')).status !== 401

  it('create a key with the chosen scopes, and show it once', async () => {
    const page = await running().open('#/keys', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('link', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Web shop')
    await page.getByLabel('contracts:write').check()
    await page.getByLabel('clients:read').check()
    await page.getByText('Create and edit contracts.').waitFor()
    await page.getByLabel('Last day').fill('2099-12-31')
    await click(page, 'Create key')
    await page.getByText('It is shown only now', { exact: true }).waitFor()
    const key = await issued(page).inputValue()
    assert.ok(isGeneratedSecret(key))
    await click(page, 'Copy')
    await page.getByText('Key copied.').first().waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
    assert.ok(!page.url().includes(key))

    await page.getByRole('link', { name: 'Done' }).click()
    const row = page.getByRole('row', { name: 'Web shop' })
    assert.match(await row.innerText(), /Active\s+contracts:write\s+clients:read/)
    await page.goBack()
    await seen(page, 'New key')
    assert.ok(!(await page.content()).includes(key))
    const { body } = await running().call('GET', '/api-keys')
    const { scopes, expiresAt } = body.apiKeys[0]
    // The end of the day in Montreal.
    assert.deepEqual([scopes, expiresAt], [['contracts:write', 'clients:read'], '2100-01-01T05:00:00.000Z'])
    assert.ok(await isTaken(key))
  })

  it('ask before a key that nobody has copied is lost, whichever way the user leaves', async () => {
    const { id } = await newKey('Nearly lost', ['clients:read'])
    const page = await running().open(`#/keys/${id}`)
    const questions: string[] = []
    page.on('dialog', async (dialog) => {
      questions.push(dialog.type() === 'beforeunload' ? dialog.type() : dialog.message())
      await dialog.dismiss()
    })
    await click(page, 'Rotate key')
    await page.locator('#issued-key:focus').waitFor()
    await page.locator('h1').click()
    await page.keyboard.press('n')
    await click(page, 'Sign out')
    await page.reload({ timeout: 2_000 }).catch(() => undefined)
    const question = 'Leave this page? The key is shown only now, and you haven’t copied it.'
    assert.deepEqual(questions, [question, question, 'beforeunload'])
    await issued(page).focus()
    await page.keyboard.press('ControlOrMeta+c')
    await page.locator('h1').click()
    await page.keyboard.press('n')
    await seen(page, 'New contract')
    assert.equal(questions.length, 3)
  })

  it('offer every scope', async () => {
    const page = await running().open('#/keys/new')
    await page.getByText('What it may do').waitFor()
    const choices = page.getByRole('group', { name: 'What it may do' })
    const names = await choices.locator('label').allInnerTexts()
    assert.deepEqual(
      names.map((name) => name.trim()),
      SCOPES,
    )
    const meanings = await choices.locator('.hint').allInnerTexts()
    assert.equal(meanings.length, SCOPES.length)
    assert.ok(meanings.every((meaning) => meaning.length > 10))
  })

  it('show errors of a new key next to its fields, and keep the input', async () => {
    const page = await running().open('#/keys/new')
    await click(page, 'Create key')
    const wrong = async (fields: string) => {
      await page.getByText(`Nothing was saved: ${fields}`).waitFor()
      return await page.locator('.field-problem').filter({ hasText: /./ }).allInnerTexts()
    }
    const noScope = 'Choose at least one scope.'
    assert.deepEqual(await wrong('2 fields'), ['Enter a name that says who or what uses the key.', noScope])
    assert.match(String(await page.evaluate('document.activeElement.className')), /form-problem/)
    await page.getByLabel('Name').fill('Kept')
    await click(page, 'Create key')
    assert.deepEqual(await wrong('one field'), [noScope])
    await page.getByRole('alert').getByRole('button', { name: 'What it may do' }).click()
    assert.equal(await page.evaluate('document.activeElement.id'), 'field-scopes')
    await page.getByLabel('clients:read').check()
    await page.getByLabel('Last day').fill('2020-01-01')
    await click(page, 'Create key')
    await page.locator('.field-problem', { hasText: 'This day is over' }).waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Kept')
    assert.ok(await page.getByLabel('clients:read').isChecked())
  })

  it('refuse a partly typed last day, which would create a key that never expires', async () => {
    const page = await running().open('#/keys/new')
    await page.getByLabel('Name').fill('For ever')
    await page.getByLabel('clients:read').check()
    await page.getByLabel('Last day').focus()
    await page.keyboard.type('03')
    await click(page, 'Create key')
    await page.locator('.field-problem', { hasText: 'The date is incomplete' }).waitFor()
    assert.equal((await running().call('GET', '/api-keys')).body.apiKeys[0].name === 'For ever', false)
  })

  it('don’t sign the user in again after signing out during a rotation', async () => {
    const { id, key } = await newKey('Leaving', SCOPES)
    const page = await running().open(`#/keys/${id}`, { key })
    const release = await holdRequests(page, '**/rotate')
    await click(page, 'Rotate key')
    const asked = page.waitForEvent('dialog')
    const clicked = click(page, 'Sign out')
    const question = await asked
    assert.match(question.message(), /while Mint is saving/)
    await question.accept()
    await clicked
    const answered = page.waitForResponse(/rotate$/)
    release()
    await (await answered).finished()
    await page.evaluate("fetch('healthz').then((answer) => answer.text())")
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
  })

  it('rotate a key, keeping the old secret valid for the chosen time', async () => {
    const { id, key } = await newKey('Rotated', ['clients:read'])
    const page = await running().open(`#/keys/${id}`)
    const rotate = async (grace: string) => {
      await page.getByLabel('How long').selectOption(grace)
      await click(page, 'Rotate key')
      return await issued(page).inputValue()
    }
    const second = await rotate('For an hour')
    assert.deepEqual([await isTaken(key), await isTaken(second)], [true, true])
    await page.getByRole('link', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Rotated' }).click()
    const third = await rotate('Not at all: it may have leaked')
    assert.deepEqual([await isTaken(key), await isTaken(second), await isTaken(third)], [false, false, true])
  })

  it('switch to the new secret when users rotate the key they are signed in with', async () => {
    const { id, key } = await newKey('My own', SCOPES)
    const page = await running().open(`#/keys/${id}`, { key })
    await page.getByText('You are signed in with this key').waitFor()
    await page.getByLabel('How long').selectOption('Not at all: it may have leaked')
    await click(page, 'Rotate key')
    await issued(page).waitFor()
    assert.equal(await isTaken(key), false)
    await page.getByRole('link', { name: 'Done' }).click()
    await page.getByRole('row', { name: 'My own' }).getByText('Yours').waitFor()
  })

  it('revoke a key after a confirmation that names it', async () => {
    const { id, key } = await newKey('Spreadsheet', ['contracts:read'])
    const page = await running().open(`#/keys/${id}`)
    const answers = [false, true]
    const questions: string[] = []
    page.on('dialog', async (dialog) => {
      questions.push(dialog.message())
      await (answers.shift() ? dialog.accept() : dialog.dismiss())
    })
    await click(page, 'Revoke')
    assert.match(String(questions), /^Revoke Spreadsheet\? .* can’t be undone\.$/)
    assert.ok(await isTaken(key))
    await click(page, 'Revoke')
    await page.getByText('Key revoked.').waitFor()
    await page.getByRole('row', { name: 'Spreadsheet' }).getByText('Revoked').waitFor()
    assert.equal(await isTaken(key), false)
  })

  it('warn users before they revoke the key they are signed in with, and sign them out afterwards', async () => {
    const { id, key } = await newKey('Temporary', SCOPES)
    const page = await running().open(`#/keys/${id}`, { key })
    const asked = page.waitForEvent('dialog')
    const clicked = click(page, 'Revoke')
    const question = await asked
    assert.match(question.message(), /revoking it signs you out/)
    await question.accept()
    await clicked
    await page.getByText('You revoked the key that you were signed in with.').waitFor()
    await page.getByLabel('API key').waitFor()
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
  })

  it('say which scope a key lacks', async () => {
    const { key } = await newKey('Reader', ['contracts:read'])
    for (const hash of ['#/keys', '#/keys/0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b']) {
      const page = await running().open(hash, { key })
      await page.getByText('lacks the scope keys:admin').waitFor()
    }
  })

  it('say what to do if the answer with a new key was lost', async () => {
    const page = await running().open('#/keys/new')
    await page.getByLabel('Name').fill('Lost')
    await page.getByLabel('clients:read').check()
    await page.route('**/api-keys', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await click(page, 'Create key')
    await page.getByText('Find the key in the list').waitFor()
    const { body } = await running().call('GET', '/api-keys')
    assert.equal(body.apiKeys[0].name, 'Lost')
  })
})
