import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { BUSINESSES_TOPIC } from '../../shared/runtime/settings/topic-names.ts'
import { describeConsole } from '../support/console-browser.ts'
import { fillFolder } from '../support/filled-folder.ts'
import { waitFor } from '../support/wait-for.ts'

/** Slightly longer than the page's refresh interval. */
const PAST_REFRESH = 6_000

describeConsole(
  'The health page of the console',
  (running) => {
    const status = '**/operations/status'
    const said = (page: Page) => page.locator('body > #console > [role="status"]').textContent()

    it('shows whether Mint is ready, and its processes, versions, positions and lags', async () => {
      const page = await running().open('#/health')
      await page.getByText('Mint is ready.').first().waitFor()
      const { body } = await running().call('GET', '/operations/status')
      const [{ at, version }] = body.services[0].status.processes
      const cells = await page
        .getByRole('row', { name: /^contracts/ })
        .getByRole('cell')
        .allInnerTexts()
      assert.deepEqual(cells, [at, version, 'SQLite', String(body.services[1].status.position)])
      const relay = await page
        .getByRole('row', { name: 'Changes to businesses, sent to Clients' })
        .getByRole('cell')
        .allInnerTexts()
      assert.deepEqual(relay, [String(body.relay.position), '0', 'none'])
    })

    it('lists messages set aside, and replays them', async () => {
      const page = await running().open('#/health')
      await page.locator('.state.warning', { hasText: '2 messages were set aside.' }).waitFor()
      const { body } = await running().call('GET', '/operations/dead-letters')
      const [{ id, reason }] = body.deadLetters
      await page.getByRole('row', { name: id }).getByText(reason).waitFor()
      await page.getByRole('button', { name: 'Replay all' }).click()
      await page.getByText('Replayed: 2 set aside again, as they still can’t be handled. 2 are left.').first().waitFor()
    })

    it('replays all while requests reach further messages, even if none can be handled', async () => {
      const page = await running().open('#/health')
      const reached = ['a', 'b', 'a']
      let requests = 0
      await page.route('**/operations/dead-letters/replay', (route) => {
        const replayed = [{ id: reached[requests++ % reached.length], outcome: 'set_aside_again' }]
        return route.fulfill({ json: { replayed, remaining: 2 } })
      })
      await page.getByRole('button', { name: 'Replay all' }).click()
      await page.getByText('Replayed: 2 set aside again, as they still can’t be handled. 2 are left.').first().waitFor()
      assert.equal(requests, 3)
    })

    it('refreshes only while visible, and announces only changes of state', async () => {
      const page = await running().open('#/clients')
      await page.clock.install()
      await page.reload()
      let [requests, answers, isReady] = [0, 0, true]
      await page.route(status, async (route) => {
        requests++
        const answer = await route.fetch()
        const json = { ...(await answer.json()), ready: isReady, missing: isReady ? [] : ['businesses'] }
        await route.fulfill({ response: answer, json })
        answers++
      })
      /** Advances the clock until the page has refreshed. */
      const next = async () => {
        const before = answers
        const asked = async () => {
          await page.clock.fastForward(PAST_REFRESH)
          return answers > before && answers === requests
        }
        await waitFor(asked, { what: 'another request' })
      }
      await page.getByRole('link', { name: 'Health' }).click()
      await page.getByText('Mint is ready.').first().waitFor()
      await page.evaluate(COUNT_CHANGES)
      await next()
      await next()
      assert.equal(await page.evaluate('saidChanges'), 0, 'nothing is said again')
      await page.getByRole('button', { name: 'Replay all' }).click()
      await waitFor(async () => (await said(page))?.startsWith('Replayed'), { what: 'the outcome' })
      await next()
      assert.match((await said(page)) ?? '', /^Replayed/, 'nor instead of something else')

      isReady = false
      await next()
      await page.getByText('Mint is not ready: businesses can’t be used now.').first().waitFor()
      assert.match((await said(page)) ?? '', /^Mint is not ready/)

      /** The number of requests after a long time: any request sent is counted before healthz answers. */
      const requestsLater = async () => {
        await page.clock.fastForward(10 * PAST_REFRESH)
        await page.evaluate("fetch('healthz').then((answer) => answer.text())")
        return requests
      }
      const before = requests
      await page.evaluate(hidden(true))
      assert.equal(await requestsLater(), before, 'a tab that nobody sees asks nothing')
      const answered = page.waitForResponse(status)
      await page.evaluate(hidden(false))
      await answered
      await page.getByRole('link', { name: 'Clients' }).click()
      await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor()
      assert.equal(await requestsLater(), before + 1, 'nor does another page')
    })

    it('recovers from an outage automatically, and shows the last known state meanwhile', async () => {
      const page = await running().open('#/clients')
      await page.clock.install()
      await page.reload()
      await page.getByRole('link', { name: 'Health' }).click()
      await page.getByText('Mint is ready.').first().waitFor()
      const problem = page.getByText('Mint can’t be reached')
      const untilShown = async (isShown: boolean) => {
        const isSo = async () => {
          await page.clock.fastForward(PAST_REFRESH)
          return (await problem.isVisible()) === isShown
        }
        await waitFor(isSo, { what: 'the next request' })
      }
      await page.route(status, (route) => route.abort())
      await untilShown(true)
      await page.getByRole('row', { name: /^contracts/ }).waitFor()
      await page.unroute(status)
      await untilShown(false)
    })

    it('says why the status of a service is unknown', async () => {
      const page = await running().open('#/clients')
      await page.route(status, async (route) => {
        const answer = await route.fetch()
        const json = await answer.json()
        json.services[2] = { name: 'businesses', problem: 'No answer within 2 seconds.', status: null }
        await route.fulfill({ response: answer, json: { ...json, ready: false, missing: ['businesses'], relay: null } })
      })
      await page.getByRole('link', { name: 'Health' }).click()
      await page.getByText('The status of businesses is unknown: No answer within 2 seconds.').first().waitFor()
      await page.getByRole('row', { name: 'Changes to businesses, sent to Clients unknown now' }).waitFor()
    })

    it('says that Kafka can’t be reached, unless the contracts service itself doesn’t answer', async () => {
      const page = await running().open('#/clients')
      let isContractsDown = false
      await page.route(status, async (route) => {
        const answer = await route.fetch()
        const json = { ...(await answer.json()), unhandledMessages: null }
        json.services[1] = isContractsDown
          ? { name: 'contracts', problem: 'It is down.', status: null }
          : json.services[1]
        await route.fulfill({ response: answer, json: { ...json, ...(isContractsDown && { deadLetters: null }) } })
      })
      const kafka = page.getByText('Kafka can’t be reached').first()
      await page.getByRole('link', { name: 'Health' }).click()
      await kafka.waitFor()
      isContractsDown = true
      await page.reload()
      await page.getByText('It is down.').first().waitFor()
      assert.equal(await kafka.isVisible(), false)
    })

    it('says which scope a key lacks for reading or replaying', async () => {
      const keyWith = async (...scopes: readonly string[]) =>
        (await running().call('POST', '/api-keys', { name: scopes.join(), scopes })).body.key
      const stranger = await running().open('#/health', { key: await keyWith('clients:read') })
      await stranger.getByText('lacks the scope operations:read').waitFor()
      const reader = await running().open('#/health', { key: await keyWith('operations:read') })
      await reader.getByText('requires a key with the scope operations:write').waitFor()
      assert.equal(await reader.getByRole('button', { name: /^Replay/ }).count(), 0)
    })
  },
  { prepare: setTwoAside },
)

/** No business events, so a replay sets them aside again. */
async function setTwoAside(folder: string): Promise<void> {
  await fillFolder(folder, { contracts: 1, businesses: 1 })
  const database = await openSqliteDatabase({ file: join(folder, 'contracts.db'), views: [] })
  for (const key of ['one', 'two']) {
    const headers = { ce_specversion: '1.0', ce_id: key, ce_source: 'other', ce_type: 'unknown', ce_time: '' }
    const message = { key, headers, value: 'no JSON' }
    const at = Date.UTC(2026, 0, 31, 9, 30)
    await database.deadLetters.add({ topic: BUSINESSES_TOPIC, message, reason: `Nothing of ours: ${key}`, at })
  }
  await database.close()
}

const COUNT_CHANGES = `
  globalThis.saidChanges = 0
  new MutationObserver(() => saidChanges++).observe(document.querySelector('p[role="status"]'), { childList: true, characterData: true, subtree: true })`

const hidden = (isHidden: boolean): string => `
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} })
  document.dispatchEvent(new Event('visibilitychange'))`
