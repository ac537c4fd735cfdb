import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedSettings } from '../cli/start/config.ts'
import { BUSINESSES_ADDRESS, CONTRACTS_ADDRESS } from '../shared/runtime/settings/common.ts'
import { productionSettings } from '../shared/runtime/settings/production.ts'
import { assertNone } from './support/assert-none.ts'
import { atEnd } from './support/cleanup.ts'
import { type MintProcess, startMint } from './support/mint-process.ts'
import { openApi } from './support/openapi-document.ts'
import {
  commandsIn,
  importCommands,
  marchCommands,
  mintCommands,
  runInShell,
  section,
  takeTour,
  tourCommands,
} from './support/readme.ts'
import { aNewContract, OVERRIDING, restClient } from './support/rest.ts'
import { newFolder, temporaryFolder } from './support/temporary-folder.ts'

const contributing = readFileSync('CONTRIBUTING.md', 'utf8')
const profileCommand = (): string => commandsIn(contributing).find((line) => line.includes('--cpu-prof')) ?? ''

describe('README.md', () => {
  const folder = temporaryFolder()
  const dataFolder = join(folder.path, 'data')
  let mint: MintProcess
  before(async () => {
    mint = await startMint({ dataFolder })
  })
  after(async () => {
    await mint.kill()
    folder.remove()
  })
  const inFolder = (line: string, file: string): string => line.replace(file, join(folder.path, file))

  it('has a tour of six requests that work when pasted line by line, and `mint` commands that work after it', async () => {
    await takeTour(mint)
    const [create = '', status = '', history = '', verify = '', backup = '', exportAll = ''] = mintCommands()
    const run = (line: string): Promise<string> => runInShell(line, { DATA_DIR: dataFolder })
    assert.match(await run(create), /mint_[0-9A-Za-z]{36}/)
    assert.match(await run(status), /^mint .*\n {2}REST +http/m)
    assert.match(await run(history), /serviceFee.*19\.99.*25/s)
    await run(verify)
    await run(inFolder(backup, './copy'))
    assert.ok(readdirSync(join(folder.path, 'copy')).includes('contracts.db'))
    await run(inFolder(exportAll, 'mint.ndjson'))
    assert.match(readFileSync(join(folder.path, 'mint.ndjson'), 'utf8'), /ContractEdited\.v1/)
  })

  it('shows how to close March, and to query what was billed in it and what has changed since, and by whom', async () => {
    const call = restClient(mint)
    const { id } = (await call('POST', '/contracts', aNewContract({ serviceDate: '2026-03-10' }))).body
    const run = (lines: readonly string[]): Promise<string> =>
      runInShell(lines.join('\n').replaceAll('http://127.0.0.1:8080', mint.url), { MINT_API_KEY: mint.key })
    const [close = '', override = '', ...ask] = marchCommands()
    assert.equal(JSON.parse(await run([close])).closedThrough, '2026-03-31')
    assert.equal(JSON.parse(await run([override])).serviceFee, 80)
    await call('PATCH', `/contracts/${id}`, { serviceFee: 200 }, OVERRIDING)
    const [billed = '', changed = ''] = (await run(ask)).split('\n')
    assert.deepEqual(JSON.parse(billed).rows, [
      { month: '2026-03', count: 2, serviceFee: '280', tax: '41.2', totalFeeWithTax: '321.2', billed: '321.2' },
    ])
    const { changes, difference } = JSON.parse(changed)
    assert.deepEqual([changes[0].contractId, changes[0].before.serviceFee, changes[0].byName], [id, '150', 'first'])
    assert.equal(difference.totalFeeWithTax, '151.7')
  })

  it('shows a working import of a CSV file', async () => {
    const [makeFile = '', importFile = ''] = importCommands()
    const environment = { MINT_URL: mint.url, MINT_API_KEY: mint.key }
    const run = (line: string) => runInShell(inFolder(line, 'clients.csv'), environment)
    await run(makeFile)
    assert.equal(await run(importFile), '2 rows are valid. Nothing was written.\n')
    assert.equal(await run(importFile.replace(' --dry-run', '')), 'Created 2 businesses.\n')
  })

  it('shows, in CONTRIBUTING.md, a command that writes a profile of each thread', async () => {
    const profiled = newFolder()
    const profile = profileCommand().replace('./data/profile', `${profiled}/data`).replace('data/profile', profiled)
    const running = await startMint({ dataFolder: profiled, command: ['bash', '-c', `exec env ${profile}`] })
    atEnd(running.kill)
    running.signal('SIGINT')
    assert.equal((await running.ended).exitCode, 0)
    assert.ok(readdirSync(join(profiled, 'cpu')).filter((name) => name.endsWith('.cpuprofile')).length >= 2)
  })

  it('shows only commands that CI or a test runs, as does CONTRIBUTING.md', () => {
    const ci = ['.ci/run', '.ci/nightly'].map((file) => readFileSync(file, 'utf8')).join('\n')
    const commands = [...commandsIn(), ...commandsIn(contributing)]
    const runByCi = commands.filter((command) => command.split(' && ').every((part) => ci.includes(part)))
    const runByTests = [
      ...tourCommands(),
      ...mintCommands(),
      ...importCommands(),
      ...marchCommands(),
      profileCommand(),
      // tests/system/generated-client.test.ts
      'npm run tour',
      // tests/system starts Mint by `npm start`, after the `npm ci` of .ci/run
      'npm ci && npm start',
      // tests/system/npm-start/demo.test.ts, in another folder
      'DATA_DIR=./demo npm start -- --demo',
      // every test that starts Mint, in another folder
      'PORT=0 CONTRACTS_PORT=0 BUSINESSES_PORT=0 METRICS_PORT=0 DATA_DIR=./other npm start',
      // part of `npm test`
      "npx mocha 'tests/unit/**/*.test.ts'",
      // tests/docker starts and scales docker-compose.yml
      'export MINT_API_KEY=$(docker compose exec -T gateway cat /secrets/api-key)',
      'docker compose up --wait',
      'export CONTRACTS_REPLICAS=3 BUSINESSES_REPLICAS=2',
      'docker compose up --wait --no-recreate',
      // .ci/run runs and counts each of its checks separately
      'npm run check',
    ]
    assertNone(commands.filter((command) => !runByCi.includes(command) && !runByTests.includes(command)))
  })

  it('shows commands without trailing comments, which zsh takes for arguments', () => {
    const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md')]
    const blocks = pages.flatMap((page) => commandsIn(readFileSync(page, 'utf8')))
    assert.ok(blocks.length > 20)
    assertNone(blocks.filter((line) => /(^|\s)#/.test(line)))
  })

  it('lists every path of the API', () => {
    const rows = [...section('The API').matchAll(/^\| (`\/.*?) \|/gm)]
    const listed = rows.flatMap(([, paths = '']) => paths.match(/\/[^`]+/g) ?? [])
    assert.deepEqual(listed.sort(), Object.keys(openApi.paths).sort())
  })

  it('has docker compose pass on every setting that docker-compose.yml doesn’t determine itself', () => {
    const determined =
      /^(PORT|HOST|.+_PORT|GRPC_HOST|DATA_DIR|METRICS_ALLOWED_HOSTS|GATEWAY_TRANSPORT|WEBHOOK_KEY|.+_FILE)$/
    const inOverride = ['OIDC_CLIENT_SECRET']
    const compose = readFileSync('docker-compose.yml', 'utf8')
    const names = Object.keys(embeddedSettings).filter((name) => !determined.test(name) && !inOverride.includes(name))
    assert.ok(names.length > 10)
    assertNone(names.filter((name) => !new RegExp(`\\b${name}: '?\\$\\{${name}:-`).test(compose)))
  })

  it('lists every setting with its default, together with the pages about configuration and people', () => {
    const files = ['docs/configuration.md', 'docs/people.md']
    const pages = [section('Configuration'), ...files.map((file) => readFileSync(file, 'utf8'))].join('\n')
    const listed = [...pages.matchAll(/^\| `(\w+)` \| (?:`([^`]*)`)?/gm)]
    const settings = { ...productionSettings, CONTRACTS_ADDRESS, BUSINESSES_ADDRESS, ...embeddedSettings }
    const defaults = Object.fromEntries(
      // An empty default counts as none.
      Object.entries(settings).map(([name, setting]) => [
        name,
        setting.safeParse(undefined).data?.toString() || undefined,
      ]),
    )
    assert.deepEqual(Object.fromEntries(listed.map(([, name, value]) => [name, value])), defaults)
  })
})
