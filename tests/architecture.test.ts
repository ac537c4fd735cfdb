import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, it } from 'mocha'

/** One import statement: who imports what; project files as paths from the root, packages by name. */
interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const PROJECT_FOLDERS = ['services', 'gateway', 'shared', 'cli']
const imports = PROJECT_FOLDERS.flatMap(sourceFiles).flatMap(importsOf)

describe('The import rules', () => {
  it('find imports at all', () => {
    assert.ok(imports.length > 100, `only ${imports.length} imports found`)
  })

  it('keep the gateway away from the services', () => {
    forbid((from, to) => from.startsWith('gateway/') && to.startsWith('services/'))
  })

  it('keep the services away from each other and from the gateway', () => {
    forbid((from, to) => from.startsWith('services/contracts/') && to.startsWith('services/businesses/'))
    forbid((from, to) => from.startsWith('services/businesses/') && to.startsWith('services/contracts/'))
    forbid((from, to) => from.startsWith('services/') && to.startsWith('gateway/'))
  })

  it('keep shared code below everything else', () => {
    forbid((from, to) => from.startsWith('shared/') && /^(services|gateway|cli|tests)\//.test(to))
  })

  it('let only the command line see all, and nobody see the command line', () => {
    forbid((from, to) => !from.startsWith('cli/') && to.startsWith('cli/'))
  })

  it("let only an adapter import an engine's driver, and only its own", () => {
    const drivers = { sqlite: 'node:sqlite', mongo: 'mongodb', kafka: 'kafkajs' }
    for (const [engine, driver] of Object.entries(drivers)) {
      forbid((from, to) => to === driver && !from.startsWith(`shared/adapters/${engine}/`))
    }
  })

  it('keep the machinery of event sourcing free of adapters, transports and web', () => {
    const machinery = imports.filter((one) => one.from.startsWith('shared/event-sourcing/') && !one.typeOnly)
    const broken = machinery.filter(
      (one) => /^shared\/(adapters|rpc)\//.test(one.to) || /^(express|@grpc)/.test(one.to),
    )
    assert.deepEqual(broken.map(show), [])
  })

  it('keep decide and evolve pure: types and pure helpers only', () => {
    const allowed = /^services\/\w+\/\w+\/|^shared\/event-sourcing\/(decider|event)\.ts$|^shared\/search-folding\.ts$/
    const impure = /\/(handle|queries|view|service|grpc)/
    const pure = imports.filter((one) => /\/(decide|evolve)\.ts$/.test(one.from))
    assert.ok(pure.length > 0, 'no decide.ts or evolve.ts found')
    const broken = pure.filter((one) => !one.typeOnly && (!allowed.test(one.to) || impure.test(one.to)))
    assert.deepEqual(broken.map(show), [])
  })
})

function forbid(rule: (from: string, to: string) => boolean): void {
  assert.deepEqual(imports.filter((one) => rule(one.from, one.to)).map(show), [])
}

function show(one: Import): string {
  return `${one.from} imports ${one.to}`
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|js)$/.test(name) && !name.startsWith('gen/'))
    .map((name) => join(folder, name))
}

/** Static and dynamic imports, re-exports and `new URL('./x.ts', import.meta.url)` of one file. */
function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)|new URL\('([^']+)'/gm,
  )
  return [...statements].map(([, type, ...targets]) => ({
    from: file,
    to: resolve(file, targets.find((target) => target !== undefined) ?? ''),
    typeOnly: type !== undefined,
  }))
}

function resolve(from: string, target: string): string {
  return target.startsWith('.') ? normalize(join(dirname(from), target)) : target
}
