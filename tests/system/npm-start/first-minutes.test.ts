import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { assertNone } from '../../support/assert-none.ts'
import { atEnd } from '../../support/cleanup.ts'
import { type MintOptions, type MintProcess, runMint, startedMint } from '../../support/mint-process.ts'
import { restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'

const shell = promisify(execFile)

describe('npm start', () => {
  const lineToPaste = (mint: MintProcess): string => /^.*curl.*$/m.exec(mint.output())?.[0] ?? ''
  const failure = async (options: MintOptions): Promise<string> => {
    const { exitCode, errors, output } = await runMint(options).ended
    assert.deepEqual({ exitCode, output }, { exitCode: 1, output: '' })
    return errors
  }

  it('prints a curl line to paste, and where the console, the documentation and the data are', async () => {
    const dataFolder = join(newFolder(), 'made')
    const mint = await startedMint({ dataFolder: relative(process.cwd(), dataFolder) })
    const { stdout } = await shell('sh', ['-c', lineToPaste(mint)])
    const { id, totalFeeWithTax } = JSON.parse(stdout)
    assert.deepEqual({ id, totalFeeWithTax }, { id: 1, totalFeeWithTax: 169.5 })
    for (const [name, title] of [
      ['Console', 'Mint'],
      ['API docs', 'Mint: the API'],
    ] as const) {
      const address = new RegExp(`${name} +(\\S+)`).exec(mint.output())?.[1] ?? ''
      assert.match(await (await fetch(address)).text(), new RegExp(`^<!doctype html>[^]*<title>${title}</title>`))
    }
    assert.match(mint.output(), new RegExp(`Data +${dataFolder}$`, 'm'))
    assert.doesNotMatch(mint.output(), /every address|does not use/)
    assertPrivate(dataFolder)
  })

  it('creates the key at the first start, shows it once, and accepts it after every later one; no two share a folder', async () => {
    const dataFolder = newFolder()
    const first = await startedMint({ dataFolder })
    assert.match(first.key, /^mint_/)
    first.signal('SIGTERM')
    assert.match((await first.ended).errors, /"msg":"stopping"/)
    const second = await startedMint({ dataFolder })
    assert.ok(!second.output().includes(first.key))
    const advice = `lost? make another with \`DATA_DIR=${dataFolder} cli/mint keys create Mine --scopes all\``
    assert.ok(second.output().includes(advice), second.output())
    assert.equal((await shell('sh', ['-c', lineToPaste(second)])).stdout, '{"status":"ok"}')
    const call = restClient({ url: second.url, key: first.key })
    // Another Mint is refused, and doesn’t disturb the one that uses the folder.
    assert.match(await failure({ dataFolder }), /^Mint can't start: .*\n$/)
    assert.equal((await call('GET', '/contracts')).status, 200)
  })

  it('accepts a configured key, never prints it, and prints a curl line that works where it is set', async () => {
    const key = 'mint_a-key-for-this-test-alone'
    const engines = { MONGO_URL: 'mongodb://127.0.0.1:1/', KAFKA_BROKERS: '127.0.0.1:1' }
    const environment = { MINT_API_KEY: key, HOST: '0.0.0.0', ...engines }
    const mint = await startedMint({ dataFolder: newFolder(), environment })
    assert.doesNotMatch(mint.output() + mint.errors(), /mint_/)
    const line = lineToPaste(mint)
    const { stdout } = await shell('sh', ['-c', line], { env: { ...process.env, MINT_API_KEY: key } })
    assert.equal(JSON.parse(stdout).id, 1)
    assert.equal((await restClient({ url: mint.url, key })('GET', '/contracts')).status, 200)
    const { output } = mint
    assert.match(output(), /listens on every address of this machine, over plain HTTP/, 'a warning if HOST is 0.0.0.0')
    assert.match(output(), /keeps all its data in its folder and does not use MONGO_URL or KAFKA_BROKERS: /)
  })

  it('reports in plain words on a terminal that it is stopping', async () => {
    const pretend = 'data:text/javascript,process.stdout.isTTY=process.stderr.isTTY=true'
    const command = [process.execPath, '--import', pretend, 'cli/launch.js', 'start'] as const
    const mint = await startedMint({ dataFolder: newFolder(), command })
    mint.signal('SIGINT')
    const { output, errors } = await mint.ended
    assert.match(output, /\nStopping…\nStopped\.\n$/)
    assert.equal(errors, '')
  })

  it('reports each taken port in one line, before it opens databases, which may take minutes, or creates a demo', async () => {
    const taken = ['PORT', 'CONTRACTS_PORT', 'BUSINESSES_PORT', 'METRICS_PORT'].map(async (name) => {
      const other = createServer().listen(0, '127.0.0.1')
      await once(other, 'listening')
      atEnd(() => other.close())
      return [name, portOf(other)] as const
    })
    const ports = await Promise.all(taken)
    const dataFolder = newFolder()
    const environment = Object.fromEntries(ports)
    const errors = await failure({ dataFolder, environment, arguments: ['--demo'] })
    assert.deepEqual(
      errors.trimEnd().split('\n').sort(),
      ports
        .map(
          ([name, port]) =>
            `Mint can't start: ${name}=${port} is taken by another process: stop that one, or set ${name} to another port (0: any free one).`,
        )
        .sort(),
    )
    assert.equal(existsSync(join(dataFolder, 'contracts.db')), false)
  })

  it('reports two equal ports in one line', async () => {
    const environment = { PORT: '50052', BUSINESSES_PORT: '50052' }
    assert.equal(
      await failure({ dataFolder: newFolder(), environment }),
      "Mint can't start: PORT and BUSINESSES_PORT are equal (50052): set one of them to another port (0: any free one).\n",
    )
  })

  it('reports each invalid setting in one line, with the allowed values', async () => {
    const environment = { PORT: '99999', LOG_LEVEL: 'loud', REQUIRE_KNOWN_CLIENT: 'yes', MINT_API_KEY: 'secret' }
    const lines = (await failure({ dataFolder: newFolder(), environment })).trimEnd().split('\n')
    assert.deepEqual(lines.sort(), [
      "Mint can't start: LOG_LEVEL=loud can't be used; allowed: fatal, error, warn, info, debug, trace, silent",
      "Mint can't start: MINT_API_KEY=(not shown) can't be used; allowed: mint_ followed by 16 to 128 visible ASCII characters",
      "Mint can't start: PORT=99999 can't be used; allowed: a port from 0 to 65535",
      "Mint can't start: REQUIRE_KNOWN_CLIENT=yes can't be used; allowed: true or false",
    ])
  })

  for (const [system, remedy] of [
    ['linux/x64', 'run `npm ci`, which installs it for Mint alone, then `npm start`.'],
    ['linux/riscv64', 'install it (https://nodejs.org), then run `npm ci` and `npm start`.'],
    ['darwin/arm64', 'install it (https://nodejs.org), then run `npm ci` and `npm start`.'],
  ] as const) {
    it(`explains in one line what to do if Node is too old, on ${system}`, async () => {
      const [platform, arch] = system.split('/')
      const pretended = { versions: { node: '20.11.0' }, platform, arch }
      const pretend = `for (const [name, value] of Object.entries(${JSON.stringify(pretended)}))
        Object.defineProperty(process, name, { value })`
      const hook = `data:text/javascript,${encodeURIComponent(pretend)}`
      const command = [process.execPath, '--import', hook, 'cli/launch.js', 'start'] as const
      const errors = await failure({ dataFolder: newFolder(), command })
      assert.equal(errors, `Mint needs Node 24, and this is Node 20.11.0: ${remedy}\n`)
    })
  }

  it('explains in one line that `npm ci` comes before `npm test`', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const { status, stderr } = spawnSync('sh', ['-c', scripts.pretest], { cwd: newFolder(), encoding: 'utf8' })
    assert.deepEqual([status, stderr], [1, 'Packages are missing: run `npm ci` first.\n'])
    assert.equal(spawnSync('sh', ['-c', scripts.pretest]).status, 0)
  })
})

/** Only its own user may read any of it. */
function assertPrivate(dataFolder: string): void {
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
  assert.equal(modeOf(dataFolder), '700')
  const files = readdirSync(dataFolder)
  assert.ok(['lock', 'contracts.db', 'businesses.db-wal', 'gateway.db'].every((name) => files.includes(name)))
  assertNone(files.filter((name) => modeOf(join(dataFolder, name)) !== '600'))
}

const portOf = (server: Server): string => `${(server.address() as AddressInfo).port}`
