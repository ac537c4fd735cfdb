import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describeConsole } from '../support/console-browser.ts'

/** What a page finds that an earlier one may have left behind. */
const LEFTOVERS = `(async () => ({
  stored: [localStorage.length, (await indexedDB.databases()).length, (await caches.keys()).length],
  session: Object.keys(sessionStorage),
  cookie: document.cookie,
  isIn2001: new Date().getFullYear() === 2001,
}))()`

const LEAVE_TRACES = `(async () => {
  localStorage.setItem('theme', 'dark')
  sessionStorage.setItem('some', 'text')
  document.cookie = 'some=text; path=/'
  await caches.open('some')
  await new Promise((done) => { indexedDB.open('some').onsuccess = done })
})()`

describeConsole('Successive test windows', (running) => {
  const NOTHING = { stored: [0, 0, 0], cookie: '', isIn2001: false }
  const left = async (page: Page) => await page.evaluate(LEFTOVERS)

  for (const turn of ['first', 'second', 'third']) {
    it(`see nothing of earlier ones in storage, network or clock: the ${turn}`, async () => {
      const { open } = running()
      // Each requires the network.
      const [page, other, stranger] = [await open(), await open(), await open('', { key: undefined })]
      const session = ['mint-api-key']
      assert.deepEqual(await left(page), { ...NOTHING, session })
      await page.evaluate(LEAVE_TRACES)
      assert.deepEqual(await left(other), { ...NOTHING, session })
      await page.context().setOffline(true)
      await other.clock.setFixedTime('2001-01-01T12:00:00Z')
      assert.deepEqual(await left(stranger), { ...NOTHING, session: [] })
    })
  }
})
