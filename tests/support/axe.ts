import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The violations of WCAG 2.2 AA on a page. */
export async function axeFinds(page: Page, state: string): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(RUN_AXE)) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${state}: ${id}: ${html}`))
}

const RUN_AXE = `axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
})`
