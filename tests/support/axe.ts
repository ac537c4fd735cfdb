import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { ConsoleUnderTest } from './console-browser.ts'
import { visitAll } from './every-page.ts'

/** How a page is looked at: settings of the browser by what they are called in titles. */
export type Looks = Readonly<Record<string, BrowserContextOptions>>

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Registers a test for each look: no page of the console breaks a rule of axe. */
export function everyPagePassesAxe(running: () => ConsoleUnderTest, looks: Looks): void {
  for (const [look, options] of Object.entries(looks)) {
    it(`passes axe’s rules for WCAG 2.2 AA, ${look}`, async () => {
      const found: string[] = []
      await visitAll(running(), options, async (page, path) => {
        found.push(...(await axeFinds(page, path)))
      })
      assert.deepEqual(found, [])
    }).timeout(180_000)
  }
}

/** What breaks a rule of WCAG 2.2 AA on a page. */
export async function axeFinds(page: Page, state: string): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(RUN_AXE)) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${state}: ${id}: ${html}`))
}

const RUN_AXE = `axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
})`
