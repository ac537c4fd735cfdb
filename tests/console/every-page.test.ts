import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { axeFinds } from '../support/axe.ts'
import { consoleAddresses } from '../support/console-addresses.ts'
import { createHostileKey, describeEveryPage, shown, visitAll } from '../support/every-page.ts'
import { axeFindsInOtherStates, axeFindsInQuestions } from '../support/other-states.ts'

/** Axe checks each page in one of these looks; every-page.nightly.ts has it check all pages in all looks and languages. */
const LIGHT: BrowserContextOptions = { colorScheme: 'light' }
const DARK_AND_NARROW: BrowserContextOptions = { colorScheme: 'dark', viewport: { width: 320, height: 256 } }

describeEveryPage('Every page of the console', (running) => {
  it('passes axe’s rules in other states, dark and narrow: sign-in, refusals, problems, a new key, import questions', async () => {
    assert.deepEqual(await axeFindsInOtherStates(running(), DARK_AND_NARROW), [])
  })

  it('passes axe’s rules when an import asks about taxes and missing clients, light', async () => {
    assert.deepEqual(await axeFindsInQuestions(running(), LIGHT), [])
  })

  it('shows hostile texts verbatim, isolates their direction, fits them into 320 pixels, and passes axe’s rules on every other page, dark and narrow', async () => {
    // The key pages show the newest key.
    await createHostileKey(running().call)
    const found: string[] = []
    let showing = 0
    await visitAll(running(), DARK_AND_NARROW, async (page, path, number) => {
      if (number % 2 === 1) found.push(...(await axeFinds(page, path)))
      const { made, mixed, wide, stuck, isShown } = (await page.evaluate(INSPECT)) as Inspection
      if (isShown) showing++
      if (made > 0) found.push(`${path}: a text became an element`)
      if (stuck > 256 / 4) found.push(`${path}: ${stuck} of 256 pixels are always covered`)
      found.push(...wide.map((element) => `${path}: wider than 320 pixels: ${element}`))
      found.push(...mixed.map((text) => `${path}: beside a hostile text, in its direction: ${text}`))
    })
    assert.deepEqual(found, [])
    assert.ok(showing >= 12, `${showing} pages showed one`)
  }).timeout(180_000)

  it('lets the Tab key reach each control, shows the focus, and passes axe’s rules on the other pages, light', async () => {
    const found: string[] = []
    await visitAll(running(), LIGHT, async (page, path, number) => {
      if (number % 2 === 0) found.push(...(await axeFinds(page, path)))
      const count = (await page.evaluate(NUMBER_CONTROLS)) as number
      const missed = new Set(Array.from({ length: count }, (_, number) => String(number)))
      for (let pressed = 0, more = count; pressed < 10 * count && missed.size > 0; pressed += more) {
        // The focus may have begun in the middle; a few presses are lost between the end of the page and its start.
        if (pressed > 0) more = 4
        for (let presses = 0; presses < more; presses++) await page.keyboard.press('Tab')
        for (const { number, isVisible } of (await page.evaluate(FOCUSED)) as readonly Focused[]) {
          if (!isVisible) found.push(`${path}: the focus is not to be seen on ${await named(page, number)}`)
          missed.delete(number)
        }
      }
      for (const number of missed) found.push(`${path}: no tab leads to ${await named(page, number)}`)
    })
    assert.deepEqual(found, [])
  }).timeout(180_000)

  it('cuts off no column on the pages that people print, however long texts are, on a laptop, on a tablet and on paper', async () => {
    const { open, call } = running()
    const page = await open('', { viewport: LAPTOP })
    await shown(page)
    const found: string[] = []
    for (const { path, hash } of await consoleAddresses(page, call)) {
      if (!PRINTED.includes(path)) continue
      await page.evaluate(`location.hash = '${hash}'`)
      await shown(page)
      const cut = (await page.evaluate(CUT)) as string[]
      await page.setViewportSize(TABLET)
      cut.push(...((await page.evaluate(CUT)) as string[]))
      await page.emulateMedia({ media: 'print' })
      await page.setViewportSize(PAPER)
      cut.push(...((await page.evaluate(CUT)) as string[]))
      found.push(...cut.map((one) => `${path}: ${one}`))
      await page.emulateMedia({ media: null })
      await page.setViewportSize(LAPTOP)
    }
    assert.deepEqual(found, [])
  })

  it('stores the key only in the tab’s session storage, only until the user signs out', async () => {
    const { open, mint, call } = running()
    const page = await open('', { key: undefined })
    await page.getByLabel('API key').fill(mint.key)
    await page.keyboard.press('Enter')
    await shown(page)
    for (const { path, hash } of await consoleAddresses(page, call)) {
      await page.evaluate(`location.hash = '${hash}'`)
      await shown(page)
      assert.ok(!page.url().includes('mint_'), path)
      assert.ok(!(await page.content()).includes(mint.key), path)
    }
    const places = async () => await page.evaluate(STORED)
    const stored = JSON.stringify({ 'mint-api-key': mint.key })
    assert.deepEqual(await places(), { stored, local: 0, cookie: '', databases: 0, caches: 0 })
    assert.deepEqual(await page.context().cookies(), [])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    assert.deepEqual(await places(), { stored: '{}', local: 0, cookie: '', databases: 0, caches: 0 })
    await page.goBack()
    await page.getByLabel('API key').waitFor()
  })

  it('can be used with the keyboard alone, from signing in to creating a key', async () => {
    const { open, mint, call } = running()
    const page = await open('', { key: undefined })
    const press = async (key: string) => await page.keyboard.press(key)
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 300; presses++) {
        await press('Tab')
        if ((await page.evaluate(FOCUSED_NAME)) === name) return
      }
      assert.fail(`no tab leads to ${name}`)
    }
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    await heading('Sign in to Mint')
    await tabTo('API key')
    await page.keyboard.type(mint.key)
    await press('Enter')
    await tabTo('Keys')
    await press('Enter')
    await heading('Keys')
    await tabTo('New key')
    await press('Enter')
    await heading('New key')
    await tabTo('Name')
    await page.keyboard.type('Typed')
    await tabTo('clients:read')
    await press('Space')
    await tabTo('Create key')
    await press('Enter')
    await heading('Copy the new key')
    const { name, scopes } = (await call('GET', '/api-keys')).body.apiKeys[0]
    assert.deepEqual([name, scopes], ['Typed', ['clients:read']])
  })
})

interface Inspection {
  /** The number of elements that only an unescaped text can have created. */
  readonly made: number
  /** Other text in the same run as a text that reverses its direction. */
  readonly mixed: readonly string[]
  /** The elements that make the page wider than the window, or a table wider than its box. */
  readonly wide: readonly string[]
  /** The height of what stays in view while the page scrolls. */
  readonly stuck: number
  readonly isShown: boolean
}

const INSPECT = `(() => {
  const root = document.getElementById('console')
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const mixed = []
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode
    if (!data.includes('\\u202e') || !parentElement.checkVisibility()) continue
    let isolate = parentElement
    while (!/isolate|plaintext/.test(getComputedStyle(isolate).unicodeBidi)) isolate = isolate.parentElement
    if (isolate.textContent.trim() !== data.trim()) mixed.push(isolate.outerHTML.slice(0, 300))
  }
  const inputs = [...root.querySelectorAll('input, textarea')]
  for (const input of inputs) {
    const isOwn = getComputedStyle(input).unicodeBidi === 'plaintext'
    if (input.value.includes('\\u202e') && !isOwn) mixed.push(input.outerHTML.slice(0, 300))
  }
  return {
    made: root.querySelectorAll('img, script').length,
    mixed,
    wide: [...root.querySelectorAll('*')]
      .filter((one) => document.documentElement.scrollWidth > innerWidth
        ? one.getBoundingClientRect().right > innerWidth
        : one.matches('.table-box') && one.scrollWidth > one.clientWidth)
      .map((one) => one.outerHTML.slice(0, 200)),
    stuck: Math.max(0, ...[...root.querySelectorAll('*')]
      .filter((one) => /sticky|fixed/.test(getComputedStyle(one).position))
      .map(({ clientHeight }) => clientHeight)),
    isShown: root.innerText.includes('<img src=x') || inputs.some(({ value }) => value.includes('<img src=x')),
  }
})()`

/**
 * The Tab key reaches only one radio button of each name. A link may be skipped if it is next to another one to the
 * same address.
 */
const NUMBER_CONTROLS = `(() => {
  const all = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]'
  const isRepeated = ({ tabIndex, href }) =>
    tabIndex < 0 && [...document.querySelectorAll('a[href]')].some((other) => other.tabIndex === 0 && other.href === href)
  const isControl = (one) => one.checkVisibility() && !(one.type === 'radio' && !one.checked) && !isRepeated(one)
  const controls = [...document.querySelectorAll(all)].filter(isControl)
  controls.forEach((one, number) => { one.dataset.number = number })
  window.focused = []
  addEventListener('focusin', ({ target }) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(target)
    const isVisible = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    window.focused.push({ number: target.dataset.number ?? '', isVisible })
  })
  return controls.length
})()`

interface Focused {
  /** The control's number from NUMBER_CONTROLS; empty for any other element. */
  readonly number: string
  readonly isVisible: boolean
}

/** Everything that got the focus since NUMBER_CONTROLS, or since the last call. */
const FOCUSED = 'window.focused.splice(0)'

const named = async (page: Page, number: string): Promise<string> =>
  (await page.evaluate(`document.querySelector('[data-number="${number}"]')?.outerHTML.slice(0, 300)`)) as string

/** Pages that people print. */
const PRINTED = [
  ...['/overview', '/overview/lines', '/contracts', '/contracts/:id', '/businesses', '/clients/:id'],
  ...['/clients/:id/statement', '/closing', '/changes', '/firm', '/keys', '/webhooks'],
]

const LAPTOP = { width: 1_280, height: 800 }

const TABLET = { width: 768, height: 1_024 }

/** A4, without its margins. */
const PAPER = { width: 718, height: 1_040 }

/** The tables of which not all columns are to be seen. */
const CUT = `[...document.querySelectorAll('.table-box')]
  .filter((one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth)
  .map((one) => innerWidth + ' ' + one.innerText.slice(0, 100))`

const FOCUSED_NAME = `(document.activeElement.labels?.[0] ?? document.activeElement).innerText.trim()`

const STORED = `(async () => ({
  stored: JSON.stringify({ ...sessionStorage }),
  local: localStorage.length,
  cookie: document.cookie,
  databases: (await indexedDB.databases()).length,
  caches: (await caches.keys()).length,
}))()`
