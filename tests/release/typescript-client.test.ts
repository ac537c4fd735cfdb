import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { assertNone } from '../support/assert-none.ts'

const FOLDER = 'deploy/clients/typescript'
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

describe('The package of the TypeScript client', () => {
  it('contains every file that it names and needs, apart from the generated types', () => {
    const { files, exports } = read(join(FOLDER, 'package.json'))
    const code = readFileSync(join(FOLDER, 'index.d.ts'), 'utf8')
    const needed = [exports.types, exports.default, ...[...code.matchAll(/'(\.\/[^']+)'/g)].map(([, file]) => file)]
    assert.deepEqual(new Set(needed), new Set(files.map((file: string) => `./${file}`)))
    assertNone(files.filter((file: string) => file !== 'mint-api.d.ts' && !existsSync(join(FOLDER, file))))
  })

  it('depends on the version that its documentation was tested with', () => {
    const { dependencies } = read(join(FOLDER, 'package.json'))
    const { devDependencies } = read('package.json')
    assert.deepEqual(dependencies, { 'openapi-fetch': devDependencies['openapi-fetch'] })
  })

  it('sends the key and any headers that it is given', async () => {
    const { createMintClient } = await import(pathToFileURL(resolve(FOLDER, 'index.js')).href)
    const calls: Request[] = []
    const mint = createMintClient({
      baseUrl: 'http://mint.example',
      apiKey: 'mint_a-key',
      headers: { 'x-request-id': 'r-7' },
      fetch: async (request: Request) => {
        calls.push(request)
        return Response.json({ id: 7 })
      },
    })
    const { data } = await mint.GET('/contracts/{id}', { params: { path: { id: 7 } } })
    assert.deepEqual(data, { id: 7 })
    const sent = calls.map(({ url, headers }) => [url, headers.get('authorization'), headers.get('x-request-id')])
    assert.deepEqual(sent, [['http://mint.example/contracts/7', 'Bearer mint_a-key', 'r-7']])
  })
})
