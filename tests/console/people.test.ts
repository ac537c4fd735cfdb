import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { axeFinds } from '../support/axe.ts'
import { describeConsole } from '../support/console-browser.ts'
import { field, heading } from '../support/console-pages.ts'
import { freePort } from '../support/free-port.ts'
import { CLIENT, type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { restClient } from '../support/rest.ts'

const SIGN_IN = 'Sign in with your organisation'

const environment: Record<string, string> = {
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_SCOPES: 'groups:bookkeepers=businesses:read+businesses:write+contracts:read,groups:owners=all',
  OIDC_REQUEST_SCOPES: 'openid profile email groups',
}

let started: IdentityProvider | undefined
const provider = (): IdentityProvider => started ?? assert.fail('the provider runs only while tests do')

async function prepare(): Promise<void> {
  const port = await freePort()
  started = await startIdentityProvider([`http://127.0.0.1:${port}/console`])
  Object.assign(environment, { OIDC_ISSUER: started.issuer, PORT: String(port) })
  started.accounts.set('ann', { name: 'Ann Miller', groups: ['bookkeepers'] })
}

const options = { prepare, environment, elsewhere: () => provider().issuer }

describeConsole(
  'People in the console',
  (running) => {
    after(() => started?.stop())

    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

    /** Signs in at the provider. */
    async function identify(page: Page, account: string): Promise<void> {
      await heading(page, 'Your organisation')
      await page.getByLabel('Account').fill(account)
      await button(page, 'Continue').click()
    }

    async function signedIn(hash: string, account = 'ann'): Promise<Page> {
      const page = await running().open(hash, { key: undefined })
      await button(page, SIGN_IN).click()
      await identify(page, account)
      await button(page, 'Sign out').waitFor()
      return page
    }

    const keyIn = async (page: Page): Promise<string> => String(await page.evaluate("sessionStorage['mint-api-key']"))
    const as = (key: string) => restClient({ url: running().mint.url, key })

    /** Ends a person's session from elsewhere, as its expiry does. */
    async function endSession(page: Page): Promise<void> {
      const { id } = (await as(await keyIn(page))('GET', '/api-keys/current')).body
      assert.equal((await running().call('DELETE', `/api-keys/${id}`)).status, 204)
    }

    it('sign in with their organisation, return to the page that they requested, and are named in the history', async () => {
      const page = await signedIn('#/businesses/new')
      await heading(page, 'New business')
      assert.equal(page.url(), `${running().mint.url}/console#/businesses/new`)
      assert.deepEqual(await page.evaluate('Object.keys(sessionStorage)'), ['mint-api-key'])
      await field(page, 'Legal name').fill('Haddad Books')
      await button(page, 'Create business').click()
      await page.getByText('Business created.').waitFor()
      await page.getByText('Ann Miller').first().waitFor()
    })

    it('sign out, which revokes their key immediately, in every tab', async () => {
      const page = await signedIn('#/contracts')
      const key = await keyIn(page)
      const second = await page.context().newPage()
      await second.goto(page.url())
      await button(second, 'Sign out').waitFor()
      const ended = second.waitForResponse(
        (response) => response.url().endsWith('/sign-in') && response.status() === 204,
      )
      await button(second, 'Sign out').click()
      await ended
      await button(page, SIGN_IN).waitFor()
      assert.equal((await as(key)('GET', '/contracts')).status, 401)
      assert.equal(await page.evaluate('sessionStorage.length'), 0)
    })

    it('are told if signing out could not revoke the key', async () => {
      const page = await signedIn('#/contracts')
      await page.route('**/sign-in', (route) =>
        route.request().method() === 'DELETE' ? route.abort() : route.continue(),
      )
      await button(page, 'Sign out').click()
      await page.getByText('Mint could not be reached to end your sign-in everywhere').waitFor()
    })

    it('keep their input when their session expires: another tab signs in for this one, and the retry saves it once', async () => {
      const page = await signedIn('#/businesses/new')
      await field(page, 'Legal name').fill('Typed before the end')
      await endSession(page)
      await button(page, 'Create business').click()
      await page.getByText('Your sign-in has ended.').waitFor()
      await page.context().clearCookies()
      const [other] = await Promise.all([page.waitForEvent('popup'), button(page, SIGN_IN).click()])
      const closed = other.waitForEvent('close')
      await identify(other, 'ann')
      await closed
      await heading(page, 'New business')
      assert.equal(await field(page, 'Legal name').inputValue(), 'Typed before the end')
      await button(page, 'Create business').click()
      await page.getByText('Business created.').waitFor()
      const { total } = (await running().call('GET', '/businesses?search=Typed')).body
      assert.equal(total, 1)
    })

    it('return to their page after their session expired without unsaved input', async () => {
      const page = await signedIn('#/contracts')
      await endSession(page)
      // A request of the page that it was still waiting for may have noticed before this one does.
      await page.evaluate("location.hash = '#/contracts?limit=50'")
      await page.getByText('Your sign-in has ended.').waitFor()
      await button(page, SIGN_IN).click()
      // The provider's own session is still active.
      await heading(page, 'Contracts')
    })

    it('are not signed in by a link that an attacker sends them, whose code is never used', async () => {
      const { open, mint } = running()
      const page = await open('', { key: undefined })
      const asked: string[] = []
      page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
      await page.goto(`${mint.url}/console?code=of-somebody-else&state=theirs#/contracts`)
      await page.getByText('This sign-in did not begin in this tab').waitFor()
      assert.equal(page.url(), `${mint.url}/console#/contracts`)
      assert.ok(!asked.includes('POST /sign-in'), `${asked}`)
    })

    it('who are signed in already are not told of such a link, not even once they sign out', async () => {
      const page = await signedIn('#/contracts')
      await page.goto(`${running().mint.url}/console?code=of-somebody-else&state=theirs#/contracts`)
      await button(page, 'Sign out').click()
      await button(page, SIGN_IN).waitFor()
      assert.equal(await page.getByText('This sign-in did not begin in this tab').count(), 0)
    })

    it('are told why they can’t sign in: nothing gives them access, or their organisation refuses', async () => {
      const page = await running().open('#/contracts', { key: undefined })
      provider().accounts.set('eve', { name: 'Eve', groups: ['visitors'] })
      await button(page, SIGN_IN).click()
      await identify(page, 'eve')
      await page.getByText('nothing that it says about you gives access to Mint').waitFor()
      await page.route('**/auth?**', async (route) => {
        const { searchParams } = new URL(route.request().url())
        const refusal = new URLSearchParams({ error: 'access_denied', state: searchParams.get('state') ?? '' })
        const location = `${searchParams.get('redirect_uri')}?${refusal}`
        await route.fulfill({ status: 303, headers: { location } })
      })
      await button(page, SIGN_IN).click()
      await page.getByText('Your organisation did not sign you in.').waitFor()
    })

    it('can still sign in with an API key, which signing out does not revoke', async () => {
      const page = await running().open('#/contracts', { key: undefined })
      await button(page, SIGN_IN).waitFor()
      await page.getByLabel('API key').fill(running().mint.key)
      await button(page, 'Sign in').click()
      await heading(page, 'Contracts')
      await button(page, 'Sign out').click()
      assert.equal((await running().call('GET', '/contracts')).status, 200)
    })

    it('are marked in the list of keys, where their keys can be revoked but not rotated', async () => {
      const ann = await signedIn('#/contracts')
      const { id } = (await as(await keyIn(ann))('GET', '/api-keys/current')).body
      const page = await running().open('#/keys')
      const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) })
      await row.getByText('Person').waitFor()
      await row.getByRole('link').click()
      await heading(page, 'Ann Miller')
      await button(page, 'Revoke').waitFor()
      assert.equal(await button(page, 'Rotate key').count(), 0)
      page.once('dialog', (dialog) => dialog.accept())
      await button(page, 'Revoke').click()
      await page.getByText('Key revoked.').waitFor()
      assert.equal((await as(await keyIn(ann))('GET', '/contracts')).status, 401)
    })

    it('get a sign-in page that passes axe’s rules, in dark and light colours', async () => {
      const look = { locale: 'fr-FR', colorScheme: 'dark', viewport: { width: 320, height: 640 } } as const
      const page = await running().open('?code=c&state=s', { ...look, key: undefined })
      await page.locator('.sign-in .field-problem').first().filter({ hasText: /\S/ }).waitFor()
      assert.deepEqual(await axeFinds(page, 'signing in, dark'), [])
      await page.emulateMedia({ colorScheme: 'light' })
      assert.deepEqual(await axeFinds(page, 'signing in, light'), [])
    })
  },
  options,
)
