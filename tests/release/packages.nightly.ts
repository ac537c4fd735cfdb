import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { bareEnvironment } from '../support/bare-environment.ts'
import { sharedMint } from '../support/mint-process.ts'
import { newFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

interface Locked {
  readonly version: string
  readonly dev?: boolean
  readonly optional?: boolean
}

describe('The output of .ci/release', () => {
  const mint = sharedMint()
  before(async function () {
    this.timeout(300_000)
    await run('.ci/release')
  })

  it('includes the hash of every file', async () => {
    const { stdout } = await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: 'dist' })
    assert.deepEqual(
      stdout.trim().split('\n').sort(),
      globSync('dist/mint*')
        .map((path) => `${path.slice('dist/'.length)}: OK`)
        .sort(),
    )
  })

  it('includes an SBOM with every production dependency and its licence', () => {
    const { bomFormat, metadata, components } = JSON.parse(readFileSync(`dist/mint-${version}.cdx.json`, 'utf8'))
    assert.deepEqual([bomFormat, metadata.component.name, metadata.component.version], ['CycloneDX', 'mint', version])
    const found = components as { name: string; version: string; licenses?: object[] }[]
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
    const shipped = Object.entries(packages).filter(([path, { dev, optional }]) => path !== '' && !dev && !optional)
    assert.deepEqual(
      new Set(found.map(({ name, version }) => `${name}@${version}`)),
      new Set(shipped.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)),
    )
    assert.deepEqual(
      found.filter(({ licenses = [] }) => licenses.length === 0),
      [],
    )
  })

  it('includes a TypeScript client that completes the README tour with nothing else installed', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
    await run('npm', ['install', '--no-audit', '--no-fund', resolve(`dist/mint-client-${version}.tgz`)], {
      cwd: folder,
    })
    const tour = readFileSync('docs/examples/tour.ts', 'utf8')
      .replace("import createClient from 'openapi-fetch'\n", "import { createMintClient } from 'mint-client'\n")
      .replace("import type { paths } from './mint-api.ts'\n", '')
      .replace(/createClient<paths>\(.*\)/, 'createMintClient({ baseUrl, apiKey: MINT_API_KEY })')
    writeFileSync(join(folder, 'tour.ts'), tour)
    const compilerOptions = [
      '--module',
      'nodenext',
      '--noEmit',
      '--strict',
      '--types',
      'node',
      '--typeRoots',
      resolve('node_modules/@types'),
    ]
    await run(resolve('node_modules/.bin/tsc'), [...compilerOptions, 'tour.ts'], { cwd: folder })
    const env = { ...bareEnvironment(), MINT_URL: mint().url, MINT_API_KEY: mint().key }
    const { stdout } = await run(process.execPath, ['tour.ts'], { cwd: folder, env })
    assert.match(stdout, /^contract 1: 21\.639175\ncontract 1: 27\.0625\nagain: precondition_failed\n/)
  }).timeout(120_000)

  it('includes a Python client that returns typed records', async () => {
    const folder = newFolder()
    await run('python3', ['-m', 'venv', folder])
    const wheel = resolve(`dist/mint_client-${version}-py3-none-any.whl`)
    await run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', wheel])
    const program = `
import os
from mint_client import AuthenticatedClient
from mint_client.api.businesses import create_business
from mint_client.models import Business, BusinessCreation
client = AuthenticatedClient(base_url=os.environ["MINT_URL"], token=os.environ["MINT_API_KEY"])
business = create_business.sync(client=client, body=BusinessCreation(legal_name="Hafenbüro GmbH"))
assert isinstance(business, Business)
print(business.operated_as)
`
    const env = { ...bareEnvironment(), PYTHONIOENCODING: 'utf-8', MINT_URL: mint().url, MINT_API_KEY: mint().key }
    const { stdout } = await run(join(folder, 'bin/python'), ['-c', program], { env })
    assert.equal(stdout, 'Hafenbüro GmbH\n')
  }).timeout(120_000)
})
