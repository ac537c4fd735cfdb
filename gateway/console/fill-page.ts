import { createHash } from 'node:crypto'
import { libraries, pathOf } from './libraries.ts'

interface Linked {
  readonly path: string
}

const PLACE = '<!-- files -->'

/** Puts links to the files of the console into its page. `base`: where they are, from the page. */
export function fillPage(
  template: string,
  files: readonly Linked[],
  base: string,
): { readonly page: string; readonly importMapHash: string } {
  if (!template.includes(PLACE)) throw new Error(`console.html has no ${PLACE}`)
  const map = importMap(base)
  const page = template.replace(
    PLACE,
    [`<script type="importmap">${map}</script>`, ...links(files, base)].join('\n    '),
  )
  const importMapHash = `sha256-${createHash('sha256').update(map).digest('base64')}`
  return { page, importMapHash }
}

function importMap(base: string): string {
  const imports = libraries.flatMap((library) => [
    [library.name, `./${base}${pathOf(library, library.main)}`],
    [`${library.name}/`, `./${base}${pathOf(library, '')}/`],
  ])
  return JSON.stringify({ imports: Object.fromEntries(imports) })
}

/** All modules are named, so that none is found only once the one that imports it has arrived. */
function links(files: readonly Linked[], base: string): string[] {
  return files.flatMap(({ path }) => {
    if (path.endsWith('.css')) return [`<link rel="stylesheet" href="${base}${path}">`]
    if (path.endsWith('.svg')) return [`<link rel="icon" type="image/svg+xml" href="${base}${path}">`]
    if (path === ENTRY) return [`<script type="module" src="${base}${path}"></script>`]
    return [`<link rel="modulepreload" href="${base}${path}">`]
  })
}

const ENTRY = 'start.ts'
