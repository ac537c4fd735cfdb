import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { withoutSettings } from './mint-process.ts'
import { waitFor } from './wait-for.ts'

const readme = readFileSync('README.md', 'utf8')

/** The text under a second-level heading. */
export function section(title: string): string {
  const [, rest = ''] = readme.split(`\n## ${title}\n`)
  return rest.split('\n## ')[0] ?? ''
}

/** The lines to paste into a shell, in a section or the whole page. */
export function commandsIn(text = readme): string[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.trim().split('\n'))
}

/** The requests of the tour. */
export const tourCommands = (): string[] =>
  commandsIn(section('A tour in six requests')).filter((command) => command.startsWith('curl '))

/** What the page shows of the `mint` command. */
export const mintCommands = (): string[] => commandsIn(section('The mint command'))

/** Writes a CSV file and imports it. */
export const importCommands = (): string[] =>
  commandsIn(section('The API')).filter((command) => command.includes('clients.csv'))

/** Closes March, then reports what was billed in it and what has changed since. */
export const marchCommands = (): string[] =>
  commandsIn(section('The API')).filter((command) => command.includes('curl '))

/** Runs a line in a shell, in the project's folder, and returns what it printed; rejects if it fails. */
export async function runInShell(line: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', line], { env: { ...withoutSettings(), ...environment } })
  return stdout
}

interface MintToVisit {
  readonly url: string
  readonly key: string
}

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: any answer of the API
  readonly body: any
}

/** Pastes the tour line by line into an empty Mint, and checks its answers against the README. */
export async function takeTour(mint: MintToVisit): Promise<void> {
  const [newContract = '', edit = '', newBusiness = '', listClients = '', search = '', report = ''] = tourCommands()
  const contract = await paste(newContract, mint)
  assert.deepEqual([contract.status, contract.body.totalFeeWithTax], [201, 21.639175])
  const edited = await paste(edit, mint)
  assert.deepEqual([edited.status, edited.body.totalFeeWithTax], [200, 27.0625])

  const business = await paste(newBusiness, mint)
  assert.equal(business.status, 201)
  // Only the list of Clients may show a change a little later.
  const clients = await waitFor(() => paste(listClients, mint).then(({ body }) => body.total === 1 && body.clients), {
    what: 'the Client of the business',
  })
  assert.equal(clients[0].clientId, business.body.clientId)

  assert.deepEqual((await paste(search, mint)).body, { contracts: [edited.body], total: 1 })
  const month = edited.body.serviceDate.slice(0, 7)
  assert.deepEqual((await paste(report, mint)).body.rows, [
    { month, count: 1, serviceFee: '25', tax: '2.0625', totalFeeWithTax: '27.0625', billed: '27.06' },
  ])
  assert.deepEqual(await paste(newBusiness, mint), business, 'the same Idempotency-Key makes one business')
}

/** Runs a command of the tour in a shell, as a reader would, against a Mint on another port. */
async function paste(command: string, { url, key }: MintToVisit): Promise<Answer> {
  const stdout = await runInShell(command.replace('http://127.0.0.1:8080', url), { MINT_API_KEY: key })
  const [head = '', body = ''] = stdout.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body: JSON.parse(body) }
}
