import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { embeddedSettings } from '../../cli/start/config.ts'
import { readSettings } from '../../shared/env.ts'
import { cleanup } from '../support/cleanup.ts'
import { startMint } from '../support/mint-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const readme = readFileSync('README.md', 'utf8')
const commands = commandsIn(readme)
const tour = commandsIn(section('A tour in five requests'))

describe('README.md', () => {
  const later = cleanup()

  it('has a tour in five requests that work when pasted line by line', async () => {
    const folder = temporaryFolder()
    later(() => folder.remove())
    const mint = await startMint({ dataFolder: folder.path })
    later(() => mint.kill())
    const answers: Answer[] = []
    for (const command of tour) answers.push(await paste(command, mint))
    const [contract, edited, business, clients, found] = answers

    assert.deepEqual(
      answers.map((answer) => answer.status),
      [201, 200, 201, 200, 200],
    )
    assert.equal(contract?.body.totalFeeWithTax, 21.639175)
    assert.equal(edited?.body.totalFeeWithTax, 27.0625)
    assert.deepEqual(clients?.body.clients[0]?.clientId, business?.body.clientId)
    assert.deepEqual(found?.body, { contracts: [edited?.body], total: 1 })
    const again = await paste(tour[2] ?? '', mint)
    assert.deepEqual(again, business, 'the same Idempotency-Key makes one business')
  })

  it('shows no command that nobody runs', () => {
    const ci = readFileSync('.ci/run', 'utf8')
    const runByCi = commands.filter((command) => command.split(' && ').every((part) => ci.includes(part)))
    const runByTests = [
      ...tour,
      // tests/system starts Mint by `npm start`, after the `npm ci` of .ci/run
      'npm ci && npm start',
      // a part of `npm test`
      "npx mocha 'tests/unit/**/*.test.ts'",
      // .ci/run counts each of its checks by itself
      'npm run check',
    ]
    assert.deepEqual(
      commands.filter((command) => !runByCi.includes(command) && !runByTests.includes(command)),
      [],
    )
  })

  it('lists every setting with its default', () => {
    const listed = [...section('Configuration').matchAll(/^\| `(\w+)` \| (?:`([^`]*)`)?/gm)]
    const standard = readSettings(embeddedSettings, {})
    const defaults = Object.fromEntries(
      Object.keys(embeddedSettings).map((name) => [name, standard[name as keyof typeof standard]?.toString()]),
    )
    assert.deepEqual(Object.fromEntries(listed.map(([, name, value]) => [name, value])), defaults)
  })
})

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
  readonly body: any
}

/** Runs a command of the tour in a shell, as a person would, against a Mint on another port. */
async function paste(command: string, mint: { url: string; key: string }): Promise<Answer> {
  const environment = { ...process.env, MINT_API_KEY: mint.key }
  const line = command.replace('http://127.0.0.1:8080', mint.url)
  const { stdout } = await promisify(execFile)('bash', ['-c', line], { env: environment })
  const [head = '', body = ''] = stdout.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body: JSON.parse(body) }
}

function section(title: string): string {
  const [, rest = ''] = readme.split(`\n## ${title}\n`)
  return rest.split('\n## ')[0] ?? ''
}

function commandsIn(text: string): string[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.trim().split('\n'))
}
