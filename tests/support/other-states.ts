import { randomUUID } from 'node:crypto'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { axeFinds } from './axe.ts'
import type { ConsoleUnderTest } from './console-browser.ts'
import { shown } from './every-page.ts'

/** A client that doesn't have to exist. */
const MISSING_CLIENT_ID = '11111111-1111-1111-1111-111111111111'

/** What axe finds at sign-in, in refusals, problems, a new key, and the questions and corrections of an import. */
export async function axeFindsInOtherStates(
  { open, call }: ConsoleUnderTest,
  options: BrowserContextOptions,
): Promise<string[]> {
  const found: string[] = []
  const check = async (page: Page, state: string) => found.push(...(await axeFinds(page, state)))
  const click = async (page: Page, name: string) => await page.getByRole('button', { name, exact: true }).click()

  const stranger = await open('', { ...options, key: undefined })
  await click(stranger, 'Sign in')
  await stranger.getByText('Enter an API key.').waitFor()
  await check(stranger, 'signing in')

  const { key } = (await call('POST', '/api-keys', { name: 'Reader', scopes: ['closing:write'] })).body
  for (const hash of ['#/contracts', '#/nowhere', '#/health?asOf=2026-03-31']) {
    const page = await open(hash, { ...options, key })
    await shown(page)
    await check(page, `${hash} without its scope`)
  }

  const page = await open('#/contracts/new', options)
  await click(page, 'Create contract')
  await page.getByRole('alert').waitFor()
  await check(page, 'a form with problems')
  await page.goto(page.url().replace('contracts', 'keys'))
  await click(page, 'Create key')
  await page.locator('.field-problem', { hasText: 'Choose at least one scope.' }).waitFor()
  await check(page, 'a new key with problems')
  await page.getByLabel('Name').fill('Axe')
  await page.getByLabel('clients:read').check()
  await click(page, 'Create key')
  await page.getByRole('heading', { name: 'Copy the new key' }).waitFor()
  await check(page, 'a new key')

  const files = await open('#/import?kind=contracts', options)
  const buffer = Buffer.from('Service fee;Service date\n1.000;01/02/2026\n2.500;01/02/2026\n')
  await files.setInputFiles('#file', { name: 'some.csv', mimeType: 'text/csv', buffer })
  await files.getByRole('group', { name: 'How Service date is read' }).waitFor()
  await check(files, 'an import with questions')
  // Not a file that was imported in another look.
  const imported = `clientId,serviceName,serviceType,serviceFee\n${MISSING_CLIENT_ID},${randomUUID()},wrong,-1\n`
  await files.setInputFiles('#file', { name: 'wrong.csv', mimeType: 'text/csv', buffer: Buffer.from(imported) })
  await click(files, 'Check the file')
  await click(files, 'Import one row')
  await click(files, 'Show its contracts')
  await files.getByLabel('What to do with all of them').selectOption('Change: Service fee')
  await click(files, 'Change one contract')
  await files.getByText('Enter the new value.').waitFor()
  await check(files, 'an import to be corrected')
  return found
}

/** What axe finds when an import asks about taxes and missing clients. */
export async function axeFindsInQuestions(
  { open }: ConsoleUnderTest,
  options: BrowserContextOptions,
): Promise<string[]> {
  const page = await open('#/import?kind=contracts', options)
  const buffer = Buffer.from('Client,Service name,Service type,Fee,Tax\nNobody,Payroll,payroll,1,0.19\n')
  await page.setInputFiles('#file', { name: 'other.csv', mimeType: 'text/csv', buffer })
  await page.getByLabel('as fractions of 1').check()
  await page.getByRole('button', { name: 'Check the file' }).click()
  await page.getByRole('button', { name: 'Create this client' }).waitFor()
  return await axeFinds(page, 'an import with questions')
}
