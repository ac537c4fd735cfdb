import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { atEnd } from '../support/cleanup.ts'
import { describeConsole } from '../support/console-browser.ts'
import { field, heading } from '../support/console-pages.ts'
import { type Answering, type Receiver, startReceiver } from '../support/receiver.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

describeConsole(
  'Webhooks in the console',
  (running) => {
    const click = async (page: Page, name: string) => await page.getByRole('button', { name, exact: true }).click()
    const issued = (page: Page) => page.getByLabel('Key', { exact: true })
    const deliveries = (page: Page) => page.getByRole('table', { name: 'Deliveries, newest first' }).locator('tbody tr')

    /** A receiver that stops with its test. */
    async function receiver(answering?: Answering): Promise<Receiver> {
      const started = await startReceiver(answering)
      atEnd(started.stop)
      return started
    }

    async function newWebhook(fields: object): Promise<string> {
      const { status, body } = await running().call('POST', '/webhooks', fields)
      assert.equal(status, 201)
      return body.id
    }

    it('are created for the chosen events, and show the key that verifies deliveries only once', async () => {
      const { url, received, state } = await receiver()
      const page = await running().open('#/webhooks')
      await page.getByRole('link', { name: 'New webhook' }).click()
      await field(page, 'Address \\(URL\\)').fill(url)
      await page.getByLabel('Contract created').check()
      await field(page, 'Description').fill('Invoices')
      await click(page, 'Create webhook')
      await heading(page, 'Copy the new key')
      await page.getByText('It is shown only now', { exact: true }).waitFor()
      const secret = await issued(page).inputValue()
      state.secret = secret
      await page.getByRole('link', { name: 'Done: to the webhook' }).click()
      await heading(page, url)
      assert.ok(!(await page.content()).includes(secret))

      await click(page, 'Send a test')
      await deliveries(page).filter({ hasText: 'Test' }).filter({ hasText: '204' }).waitFor()
      await running().call('POST', '/businesses', { legalName: 'Not chosen' })
      await running().call('POST', '/contracts', aNewContract({ serviceName: 'Chosen' }))
      await deliveries(page).filter({ hasText: 'Contract created' }).waitFor()
      assert.deepEqual(
        received.map(({ event }) => event.type),
        ['mint.webhook.test.v1', 'mint.contract.created.v1'],
      )
      assert.equal(state.unverified, 0)
      await page.getByRole('link', { name: 'Webhooks' }).click()
      const row = page.getByRole('row', { name: url })
      assert.match(await row.innerText(), /Invoices\s+Contract created\s+Active/)
    })

    it('refuse an undeliverable address, with the error next to its field', async () => {
      const page = await running().open('#/webhooks/new')
      await field(page, 'Address \\(URL\\)').fill('ftp://example.com')
      await click(page, 'Create webhook')
      await page.locator('.field-problem', { hasText: 'Enter an address with HTTPS' }).waitFor()
      assert.equal(await page.getByText('WEBHOOK_ALLOWED_NETWORKS').count(), 0)
    })

    it('show the receiver’s answers, and queue events while they are paused', async () => {
      const { url, state } = await receiver(() => 503)
      const id = await newWebhook({ url })
      const page = await running().open(`#/webhooks/${id}`)
      await running().call('POST', '/businesses', { legalName: 'Waiting' })
      await deliveries(page).filter({ hasText: 'Business created' }).filter({ hasText: '503' }).first().waitFor()
      await page.getByText('Last failure').waitFor()
      await page.locator('.badge', { hasText: 'Deliveries fail' }).waitFor()
      await click(page, 'Pause')
      await page.locator('.badge', { hasText: 'Paused' }).waitFor()
      state.answering = () => 204
      await click(page, 'Resume')
      await page.locator('.badge', { hasText: 'Active' }).waitFor()
      await deliveries(page).filter({ hasText: 'Business created' }).filter({ hasText: '204' }).first().waitFor()
    })

    it('can be edited, and keep the input while the page refreshes itself', async () => {
      const id = await newWebhook({ url: (await receiver()).url, types: ['mint.contract.created.v1'] })
      const page = await running().open(`#/webhooks/${id}`)
      await field(page, 'Description').fill('Now with firms')
      await page.waitForResponse(/deliveries$/)
      await page.waitForResponse(/deliveries$/)
      await page.getByLabel('Contract created').uncheck()
      await page.getByLabel('Firm edited').check()
      await click(page, 'Save')
      await page.getByText('saved').first().waitFor()
      const { types, description } = (await running().call('GET', `/webhooks/${id}`)).body
      assert.deepEqual([types, description], [['mint.firm.edited.v1'], 'Now with firms'])
      await waitFor(async () => (await page.evaluate('document.activeElement.textContent')) === 'Save')
      await page.getByLabel('Firm edited').uncheck()
      await click(page, 'Save')
      await waitFor(async () => (await running().call('GET', `/webhooks/${id}`)).body.types.length === 0)
    })

    it('get a new key while the previous one still signs, and can replay past events', async () => {
      await running().call('POST', '/businesses', { legalName: 'Before' })
      const { url, received, state } = await receiver()
      const id = await newWebhook({ url })
      const page = await running().open(`#/webhooks/${id}`)
      await page.getByLabel('How long').selectOption('For an hour')
      await click(page, 'Rotate key')
      state.secret = await issued(page).inputValue()
      await click(page, 'Send a test')
      await page.getByText('Test sent').first().waitFor()
      assert.equal(await issued(page).inputValue(), state.secret)
      await click(page, 'Send again')
      await waitFor(() => received.find(({ event }) => event.data.legalName === 'Before'))
      assert.equal(received.at(-1)?.headers['webhook-signature']?.split(' ').length, 2)
      assert.equal(state.unverified, 0)
      const asked = page.waitForEvent('dialog')
      await page.evaluate("location.hash = '#/webhooks'")
      const question = await asked
      assert.match(question.message(), /The key is shown only now/)
      await question.dismiss()
    })

    it('say what to do if the answer with a new key was lost', async () => {
      const page = await running().open(`#/webhooks/${await newWebhook({ url: (await receiver()).url })}`)
      await page.route('**/rotate', (route) => route.abort())
      await click(page, 'Rotate key')
      await page.getByText('there may be a webhook whose key nobody has seen').waitFor()
    })

    it('are deleted after confirmation', async () => {
      const id = await newWebhook({ url: (await receiver()).url })
      const page = await running().open(`#/webhooks/${id}`)
      page.once('dialog', (dialog) => dialog.dismiss())
      await click(page, 'Delete')
      assert.equal((await running().call('GET', `/webhooks/${id}`)).status, 200)
      page.once('dialog', (dialog) => dialog.accept())
      await click(page, 'Delete')
      await page.getByText('Webhook deleted.').waitFor()
      assert.equal((await running().call('GET', `/webhooks/${id}`)).status, 404)
    })

    it('are hidden from keys without their scope', async () => {
      const { key } = (await running().call('POST', '/api-keys', { name: 'Reader', scopes: ['contracts:read'] })).body
      const page = await running().open('#/contracts', { key })
      await page.getByRole('link', { name: 'Contracts' }).first().waitFor()
      assert.equal(await page.getByRole('link', { name: 'Webhooks' }).count(), 0)
    })
  },
  { environment: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } },
)
