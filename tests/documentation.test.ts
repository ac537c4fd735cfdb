import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assertNone } from './support/assert-none.ts'

const paths = globSync(['**', '.github/**'], { exclude: (place) => ['.git', 'node_modules'].includes(place) })
const pages = paths.filter((path) => path.endsWith('.md'))

describe('The documentation', () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(([, path = '', heading]) => ({
      page,
      target: path === '' ? page : join(dirname(page), path),
      heading,
    })),
  )

  it('links only to files and folders that exist', () => {
    assert.ok(links.length > 20, 'the links were found')
    assertNone(links.filter(({ target }) => !existsSync(target)))
  })

  it('has no relative links in forms, whose text is shown at another address', () => {
    assert.ok(pages.some((page) => page.startsWith('.github/')))
    assertNone(links.filter(({ page }) => page.startsWith('.github/')))
  })

  it('shows every screenshot on the page about the console, at most 12', () => {
    const pictures = paths.filter((path) => /^docs\/screenshots\/.*\.png$/.test(path))
    assert.ok(pictures.length > 0 && pictures.length <= 12, `${pictures.length} pictures`)
    const linked = links.filter(({ page }) => page === 'docs/console.md').map(({ target }) => target)
    assertNone(pictures.filter((path) => !linked.includes(path)))
  })

  it('links only to headings that exist', () => {
    const toHeadings = links.filter(({ target, heading }) => heading !== undefined && target.endsWith('.md'))
    assert.ok(toHeadings.length > 20, 'the links were found')
    assertNone(toHeadings.filter(({ target, heading = '' }) => !anchorsOf(target).includes(heading)))
  })

  it('names only files and folders that exist', () => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`([\w./-]+)(?:(?<=\.ts)|\/)`/g)].map(([, name = '']) => ({ page, name })),
    )
    assert.ok(named.length > 20, 'the names were found')
    assertNone(named.filter(({ name }) => !paths.some((path) => `/${path}`.endsWith(`/${name}`))))
  })
})

/** The anchors that GitHub gives to a page's headings. */
function anchorsOf(page: string): readonly string[] {
  const prose = read(page).replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}
