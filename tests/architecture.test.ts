import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { libraries } from '../gateway/console/libraries.ts'
import { circlesOf, type Import, productionFiles, reachableAtRunTime, readImports } from './support/imports.ts'

const imports = readImports()

/** What deterministic code may import: it must give the same result whenever and wherever it runs. */
const PURE_PACKAGES = ['big.js']

const ENGINE_DRIVERS: Readonly<Record<string, string>> = {
  'node:sqlite': 'shared/adapters/sqlite/',
  mongodb: 'shared/adapters/mongo/',
  kafkajs: 'shared/adapters/kafka/',
}

describe('The architecture', () => {
  it('keeps decide and evolve pure: no clock, no random source, no engine, no Node API', () => {
    const files = productionFiles().filter((file) =>
      /^(services\/.*|shared\/api-keys)\/(decide|evolve)\.ts$/.test(file),
    )
    assert.ok(files.length >= 8, 'two files for each of contract, business, client and API key')
    const impure = files.flatMap((file) =>
      [...reachableAtRunTime(file, imports)].filter((reached) => !isPure(reached)).map((to) => `${file} → ${to}`),
    )
    assert.deepEqual(impure, [])
    const ambient = files.filter((file) => /\b(Date\.now|new Date\(\)|Math\.random|process\.)/.test(read(file)))
    assert.deepEqual(ambient, [])
  })

  it('lets the gateway use the services only through their generated interfaces', () => {
    assertNone(({ from, to }) => from.startsWith('gateway/') && to.startsWith('services/'))
  })

  it('keeps the services independent of each other and of the gateway', () => {
    assertNone(({ from, to }) => {
      const own = /^services\/[^/]+\//.exec(from)?.[0]
      if (own === undefined) return false
      return to.startsWith('gateway/') || (to.startsWith('services/') && !to.startsWith(own))
    })
  })

  it('keeps shared code independent of the code that uses it', () => {
    assertNone(({ from, to }) => from.startsWith('shared/') && /^(services|gateway|cli)\//.test(to))
  })

  it('keeps event sourcing, the field rules and the services’ concepts free of engines and transports', () => {
    const concepts =
      /^(shared\/(event-sourcing(\/ports)?|fields)|services\/[^/]+\/(?!grpc\/)[^/]+|shared\/api-keys)\/[^/]+\.ts$/
    assertNone(({ from, to }) => concepts.test(from) && /^shared\/(adapters|rpc)\//.test(to))
  })

  it('lets the code of a SQLite thread import nothing from another thread’s', () => {
    const sqlite = ENGINE_DRIVERS['node:sqlite'] ?? ''
    const threadOf = (file: string) => /\.([\w-]+)\.ts$/.exec(file)?.[1]
    const files = productionFiles().filter((file) => file.startsWith(sqlite))
    assert.deepEqual([...new Set(files.map(threadOf))].sort(), ['main', 'reader', 'writer', undefined])
    assertNone(({ from, to, atRunTime }) => {
      if (!atRunTime || !from.startsWith(sqlite) || !to.startsWith(sqlite)) return false
      return threadOf(to) !== undefined && threadOf(to) !== threadOf(from)
    })
  })

  it('lets only adapters import an engine’s driver', () => {
    assertNone(({ from, to }) => ENGINE_DRIVERS[to] !== undefined && !from.startsWith(ENGINE_DRIVERS[to]))
  })

  it('lets only the command line import both the gateway and the services', () => {
    const files = productionFiles().filter((file) => {
      const own = imports.filter(({ from }) => from === file)
      return ['gateway/', 'services/'].every((folder) => own.some(({ to }) => to.startsWith(folder)))
    })
    assert.deepEqual(
      files.filter((file) => !file.startsWith('cli/')),
      [],
    )
  })

  it('lets the console, which runs in browsers, import nothing from Mint or Node', () => {
    const names = libraries.map(({ name }) => name)
    assertNone(({ from, to }) => {
      if (!from.startsWith('console/')) return false
      return isOwnFile(to) ? !to.startsWith('console/') : !names.includes(packageName(to))
    })
  })

  it('lets nothing import the console, except the command line its CSV client, which needs no browser', () => {
    const client = /^console\/(csv\/.+|api\/problem\.ts)$/
    assertNone(({ from, to }) => {
      if (client.test(from)) return !client.test(to)
      return to.startsWith('console/') && !from.startsWith('console/') && !(from.startsWith('cli/') && client.test(to))
    })
    assert.ok(imports.some(({ from, to }) => from.startsWith('cli/') && client.test(to)))
  })

  it('runs on `dependencies` alone: production code imports no development package and no test', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
    const isAllowed = ({ to, atRunTime }: Import): boolean =>
      !atRunTime || isOwnFile(to) || isBuiltin(to) || packageName(to) in dependencies
    assertNone((found) => !isAllowed(found) || found.to.startsWith('tests/'))
  })

  it('leaves node:http to the one place that knows how to load it', () => {
    assertNone(({ to, atRunTime }) => to === 'node:http' && atRunTime)
  })

  it('has no import cycles, not even of types', () => {
    const planted = ['a → b', 'b → c', 'c → b', 'c → d'].map((both) => both.split(' → '))
    assert.deepEqual(circlesOf(planted.map(([from = '', to = '']) => ({ from, to }))), ['b → c → b', 'c → b → c'])
    assert.deepEqual(circlesOf(imports), [])
  })

  it('shows the help of the command line without loading zod and gRPC, which take 0.1 s each', () => {
    const loaded = reachableAtRunTime(
      'cli/main.ts',
      imports.filter(({ atOnce }) => atOnce),
    )
    assert.ok(loaded.has('cli/commands/import-csv.ts'), 'the commands were found')
    assert.deepEqual(
      [...loaded].filter((file) => ['zod', '@grpc/grpc-js'].includes(file) || file.startsWith('shared/gen/')),
      [],
    )
  })

  it('loads the sign-in library only where people sign in', () => {
    const loaded = reachableAtRunTime(
      'cli/start/stack.ts',
      imports.filter(({ atOnce }) => atOnce),
    )
    assert.ok(loaded.has('gateway/sign-in/sign-in.ts'))
    assert.ok(!loaded.has('oauth4webapi'))
    assertNone(({ from, to }) => to === 'oauth4webapi' && from !== 'gateway/sign-in/provider.ts')
  })

  it('loads OpenTelemetry only where traces are sent', () => {
    const isOfOpenTelemetry = (name: string) => name.startsWith('@opentelemetry/')
    const atOnce = imports.filter((found) => found.atOnce)
    for (const start of ['cli/start/command.ts', 'cli/start/stack.ts', ...PROCESSES]) {
      const loaded = reachableAtRunTime(start, atOnce)
      assert.ok(loaded.has('shared/runtime/tracing/tracing.ts'), start)
      assert.deepEqual([...loaded].filter(isOfOpenTelemetry), [], start)
    }
    assert.ok(reachableAtRunTime('cli/start/command.ts', imports).has('@opentelemetry/sdk-trace'))
    assertNone(({ from, to }) => isOfOpenTelemetry(to) && from !== 'shared/runtime/tracing/sdk.ts')
  })

  it('reads the environment at the edge only: in main files and in the command line', () => {
    const readers = productionFiles().filter((file) => /\bprocess\.env\b/.test(read(file)))
    assert.deepEqual(
      readers.filter((file) => !file.startsWith('cli/') && !file.endsWith('/main.ts')),
      [],
    )
  })
})

const PROCESSES = ['gateway/process.ts', 'services/contracts/process.ts', 'services/businesses/process.ts']

function assertNone(isWrong: (found: Import) => boolean): void {
  assert.ok(imports.length > 100, 'the imports were found')
  assert.deepEqual(
    imports.filter(isWrong).map(({ from, to }) => `${from} → ${to}`),
    [],
  )
}

const isPure = (reached: string): boolean => isOwnFile(reached) || PURE_PACKAGES.includes(reached)

const isOwnFile = (to: string): boolean => /\.(ts|js|json)$/.test(to) && !isLibrary(to)

/** A package that the console uses; `lit-html/directives/live.js` is one of its files. */
const isLibrary = (to: string): boolean => libraries.some(({ name }) => packageName(to) === name)

const packageName = (to: string): string => to.split('/', to.startsWith('@') ? 2 : 1).join('/')

const read = (file: string): string => readFileSync(file, 'utf8')
