import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const paths = globSync('**', { exclude: (place) => ['.git', 'node_modules'].includes(place) })
const pages = paths.filter((path) => path.endsWith('.md'))

describe('The documentation', () => {
  it('links to files and folders that are there', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => join(dirname(page), target)),
    )
    assert.ok(links.length > 20, 'the links were found')
    assert.deepEqual(
      links.filter((link) => !existsSync(link)),
      [],
    )
  })

  it('names files and folders that are there, in the README and in CONTRIBUTING.md', () => {
    const named = ['README.md', 'CONTRIBUTING.md'].flatMap((page) =>
      [...read(page).matchAll(/`([\w./-]+)(?:(?<=\.ts)|\/)`/g)].map(([, name = '']) => name),
    )
    assert.ok(named.length > 20, 'the names were found')
    assert.deepEqual(
      named.filter((name) => !paths.some((path) => `/${path}`.endsWith(`/${name}`))),
      [],
    )
  })
})

const read = (file: string): string => readFileSync(file, 'utf8')
