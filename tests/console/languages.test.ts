import { describeConsole } from '../support/console-browser.ts'

describeConsole('The console’s languages', (running) => {
  it('are the browser’s', async () => {
    for (const [locale, heading] of [
      ['de-AT', 'Schlüssel'],
      ['fr-CA', 'Clés'],
      ['nl-NL', 'Keys'],
    ] as const) {
      const page = await running().open('#/keys', { locale })
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    }
  })
})
