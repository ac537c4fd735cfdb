import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describeConsole } from '../support/console-browser.ts'

/** What a page finds that an earlier one may have left behind. */
const LEFTOVERS = `(async () => ({
  stored: [localStorage.length, (await indexedDB.databases()).length, (await caches.keys()).length],
  session: Object.keys(sessionStorage),
  cookie: document.cookie,
  isIn2001: new Date().getFullYear() === 2001,
  isPrinted: matchMedia('print').matches,
  visited: history.length,
  isConfirmed: confirm(),
  keys: (await fetch('api-keys')).status,
}))()`

const LEAVE_TRACES = `(async () => {
  localStorage.setItem('theme', 'dark')
  sessionStorage.setItem('some', 'text')
  document.cookie = 'some=text; path=/'
  await caches.open('some')
  await new Promise((done) => { indexedDB.open('some').onsuccess = done })
})()`

describeConsole('Successive test windows', (running) => {
  // Two visits: of what a window starts with, and of the console.
  const NEW = {
    stored: [0, 0, 0],
    cookie: '',
    isIn2001: false,
    isPrinted: false,
    visited: 2,
    isConfirmed: false,
    keys: 401,
  }
  const left = async (page: Page) => await page.evaluate(LEFTOVERS)

  for (const turn of ['first', 'second']) {
    it(`see nothing of earlier ones in storage, history, network, clock, media or listeners: the ${turn}`, async () => {
      const { open } = running()
      // Each requires the network.
      const [page, other, stranger] = [await open(), await open(), await open('', { key: undefined })]
      const session = ['mint-api-key']
      assert.deepEqual(await left(page), { ...NEW, session })
      await page.evaluate(LEAVE_TRACES)
      assert.deepEqual(await left(other), { ...NEW, session })
      await page.route('**/api-keys', (route) => route.fulfill({ status: 418 }))
      page.on('dialog', (dialog) => dialog.accept())
      await page.context().setOffline(true)
      await other.clock.setFixedTime('2001-01-01T12:00:00Z')
      assert.deepEqual(await left(stranger), { ...NEW, session: [] })
      await stranger.emulateMedia({ media: 'print' })
    })
  }
})
