import assert from 'node:assert/strict'
import type { BrowserContextOptions } from 'playwright-core'
import { axeFinds } from '../support/axe.ts'
import { describeEveryPage, visitAll } from '../support/every-page.ts'
import { axeFindsInOtherStates, axeFindsInQuestions } from '../support/other-states.ts'

/** A window of 1,280 pixels zoomed to 200 %. */
const ZOOMED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 } as const
const NARROW = { viewport: { width: 320, height: 640 } } as const

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  'in light colours': { colorScheme: 'light' },
  'in dark colours': { colorScheme: 'dark' },
  '320 pixels wide': NARROW,
  'in dark colours, 320 pixels wide': { colorScheme: 'dark', ...NARROW },
  'at 200 %': ZOOMED,
  // Other languages have longer words.
  'in German, in dark colours': { locale: 'de-DE', colorScheme: 'dark' },
  'in German, 320 pixels wide': { locale: 'de-DE', ...NARROW },
  'in German, at 200 %': { locale: 'de-DE', ...ZOOMED },
  'in French': { locale: 'fr-FR' },
  'in French, in dark colours, at 200 %': { locale: 'fr-FR', colorScheme: 'dark', ...ZOOMED },
  'in French, in dark colours, 320 pixels wide': { locale: 'fr-CA', colorScheme: 'dark', ...NARROW },
}

describeEveryPage('Every page of the console, in all languages, colours and widths,', (running) => {
  for (const [look, options] of Object.entries(LOOKS)) {
    it(`passes axe’s rules for WCAG 2.2 AA, ${look}`, async () => {
      const found: string[] = []
      await visitAll(running(), options, async (page, path) => {
        found.push(...(await axeFinds(page, path)))
      })
      assert.deepEqual(found, [])
    }).timeout(180_000)

    // Their texts are found in English.
    if (options.locale !== undefined) continue
    it(`passes axe’s rules in other states, ${look}`, async () => {
      assert.deepEqual(await axeFindsInOtherStates(running(), options), [])
      assert.deepEqual(await axeFindsInQuestions(running(), options), [])
    }).timeout(180_000)
  }
})
