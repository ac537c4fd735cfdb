import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { init, parse } from 'es-module-lexer'
import { LANGUAGES } from '../../console/languages/language.ts'
import { assertNone } from '../support/assert-none.ts'
import { emptyServices } from '../support/empty-services.ts'
import { type GatewayUnderTest, startGateway } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'

/** The most that a browser may load to sign in. */
const MAX_BYTES = 200_000

describe('The console’s page and files', () => {
  let gateway: GatewayUnderTest
  before(async () => {
    gateway = await startGateway(emptyServices)
  })
  after(() => gateway.stop())
  const get = (path: string, headers = {}) =>
    gateway.call('GET', path, undefined, { authorization: undefined, ...headers })

  /** Fetches any file: `call` would parse an icon as JSON. */
  const fetchFile = (path: string) =>
    fetch(`http://127.0.0.1:${gateway.port}${path}`, { headers: { 'accept-encoding': 'gzip' } })

  /** The addresses that the page links to, resolved against its own. */
  async function linked(): Promise<string[]> {
    const { text } = await get('/console')
    return [...text.matchAll(/(?:src|href)="(console\/[^"]+)"/g)].map(([, path]) => `/${path}`)
  }

  it('need no key, like the API’s document and its page, allow only GET and HEAD, and answer 304 while their ETags are current', async () => {
    const [file = ''] = await linked()
    for (const path of ['/console', file, '/openapi.json', '/docs']) {
      const answer = await get(path)
      assert.equal(answer.status, 200)
      const head = await gateway.call('HEAD', path, undefined, { authorization: undefined })
      assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', answer.headers.get('etag')])
      const etag = answer.headers.get('etag') ?? ''
      assert.equal((await get(path, { 'if-none-match': etag })).status, 304)
      assert.equal((await get(path, { 'if-none-match': '"1"' })).status, 200)
      assertInvalid(await get(path, { 'if-none-match': '1' }), ['header /If-None-Match malformed_header'])
      assertProblem(await gateway.call('POST', path, {}, { authorization: undefined }), 405, 'method_not_allowed')
    }
  })

  it('restrict the browser to files of this Mint and the page’s import map, and allow no inline styles', async () => {
    const page = await get('/console')
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.match(policy, /^default-src 'none'; /)
    assert.match(policy, /require-trusted-types-for 'script'/)
    const [, importMap = ''] = /<script type="importmap">(.*?)<\/script>/.exec(page.text) ?? []
    const hash = createHash('sha256').update(importMap).digest('base64')
    assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}';`), policy)
    assert.doesNotMatch(page.text, /https?:\/\/|<style|style=|\son\w+=/)
    assert.equal(page.text.match(/<script(?! type="importmap">| type="module" src=)/), null)
  })

  it('list exactly the imported modules, so that all are fetched in parallel', async () => {
    const { text } = await get('/console')
    const { imports } = JSON.parse(/<script type="importmap">(.*?)<\/script>/.exec(text)?.[1] ?? '')
    const files = await linked()
    await init
    const modules = files.filter((path) => /\.(ts|m?js)$/.test(path))
    const imported = new Set(modules.filter((path) => path.endsWith('/start.ts')))
    for (const module of modules) {
      const { text: code } = await get(module)
      for (const specifier of specifiersIn(code)) imported.add(resolved(specifier, module, imports))
    }
    assertNone([...imported].filter((path) => !modules.includes(path)))
    const unused = modules.filter((path) => path.includes('/lib/') && !imported.has(path))
    assert.deepEqual(unused, [])
  })

  it('are immutable under their own version, and revalidated under another one, as during an upgrade', async () => {
    const [file = ''] = await linked()
    assert.match((await get(file)).headers.get('cache-control') ?? '', /immutable/)
    const other = await get(file.replace(/^\/console\/\w+\//, '/console/0123456789abcdef/'))
    assert.deepEqual([other.status, other.headers.get('cache-control')], [200, 'no-cache'])
    for (const path of [
      '/console/',
      '/console/x',
      '/console/x/none.ts',
      '/console/x/..%2fconsole.html',
      '/console/x/tsconfig.json',
    ]) {
      assertProblem(await get(path), 404, 'route_not_found')
    }
  })

  it('are scripts stripped of types, styles and an icon, each with its media type', async () => {
    const types = new Set<string>()
    for (const path of await linked()) {
      const answer = await fetchFile(path)
      const { status, headers } = answer
      assert.equal(status, 200, path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      types.add(`${path.split('.').at(-1)}: ${headers.get('content-type')}`)
      assert.doesNotMatch(await answer.text(), /\binterface \w+ \{|sourceMappingURL/)
    }
    assert.deepEqual([...types].sort(), [
      'css: text/css; charset=utf-8',
      'js: text/javascript; charset=utf-8',
      'mjs: text/javascript; charset=utf-8',
      'svg: image/svg+xml',
      'ts: text/javascript; charset=utf-8',
    ])
  })

  it(`take at most ${MAX_BYTES} bytes in all, compressed, including the OpenAPI document and a language`, async () => {
    const sizeOf = async (path: string) => {
      const { status, headers } = await fetchFile(path)
      assert.equal(status, 200, path)
      return Number(headers.get('content-length'))
    }
    const files = await linked()
    const sizes = await Promise.all(['/console', '/openapi.json', ...files].map(sizeOf))
    // A browser loads one language, which no link names.
    const start = files.find((path) => path.endsWith('/start.ts')) ?? ''
    const languages = Object.keys(LANGUAGES).map((name) => start.replace('start.ts', `languages/${name}.json`))
    const heaviest = Math.max(...(await Promise.all(languages.map(sizeOf))))
    const sum = sizes.reduce((one, other) => one + other, heaviest)
    assert.ok(sum > 10_000 && sum <= MAX_BYTES, `${sum} bytes`)
  })
})

function specifiersIn(code: string): string[] {
  const [imports] = parse(code)
  return imports.flatMap(({ type, specifier }) => (type === 'static' && specifier !== undefined ? [specifier] : []))
}

/** Resolves a specifier as a browser does. */
function resolved(specifier: string, from: string, imports: Readonly<Record<string, string>>): string {
  const base = 'http://mint/console'
  const key = Object.keys(imports).find(
    (name) => specifier === name || (name.endsWith('/') && specifier.startsWith(name)),
  )
  const target =
    key === undefined
      ? new URL(specifier, `http://mint${from}`)
      : new URL((imports[key] ?? '') + specifier.slice(key.length), base)
  return target.pathname
}
