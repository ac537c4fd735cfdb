import type { Download, Locator, Page } from 'playwright-core'

/** Waits until a page of the console has this heading, or one that contains it. */
export async function heading(page: Page, name: string, { exact = false } = {}): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact }).waitFor()
}

/** Waits until a list shows this range of rows: `1–50 of 120`. */
export async function range(page: Page, text: string): Promise<void> {
  // Not `51–60` for `1–60`.
  await page.locator('.range', { hasText: new RegExp(`(?<!\\d)${text}(?!\\d)`) }).waitFor()
}

/** The form field with this label, required or not. */
export function field(page: Page, label: string): Locator {
  const name = new RegExp(`^${label}( \\(optional\\))?$`)
  // A field with suggestions has the role combobox.
  return page.getByRole('textbox', { name }).or(page.getByRole('combobox', { name }))
}

/** What a record's page shows beside this label. */
export function valueIn(page: Page, label: string): Locator {
  return page.locator('.fields > div', { has: page.getByText(label, { exact: true }) }).locator('dd')
}

/** The texts of a table row's cells, without the row heading. */
export async function cellsOf(row: Locator): Promise<string[]> {
  return (await row.getByRole('cell').allTextContents()).map((text) => text.trim())
}

/** Chooses a CSV file with this text on the import page. */
export async function chooseCsv(page: Page, text: string, name = 'some.csv'): Promise<void> {
  await page.setInputFiles('#file', { name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

/** Saves a file with the button of this name. */
export async function save(page: Page, name: string): Promise<Download> {
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name, exact: true }).click()
  return await saved
}

/** Waits until the page has rendered what it has so far. */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
}
