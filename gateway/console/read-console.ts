import { createHash, hash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderOf, libraries, pathOf } from './libraries.ts'

/** A file as the browser gets it. */
export interface ConsoleFile {
  /** From the folder of the console's files: `frame/address.ts`. */
  readonly path: string
  readonly type: string
  readonly text: string
}

/** The console: its page, and the files that the page loads. */
export interface Console {
  readonly page: string
  /** For the Content-Security-Policy: allows the one inline script, the import map. */
  readonly importMapHash: string
  /** Names exactly these files, so that a browser may store them for good. */
  readonly version: string
  readonly files: readonly ConsoleFile[]
}

const FOLDER = fileURLToPath(import.meta.resolve('../../console/'))

const TYPES: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Reads the console from disk, its modules without their types. */
export async function readConsole(): Promise<Console> {
  const [template, own, foreign] = await Promise.all([read('console.html'), ownFiles(), libraryFiles()])
  const files = [...own, ...foreign]
  const version = hash('sha256', JSON.stringify(files)).slice(0, 16)
  return { ...fillPage(template, files, `console/${version}/`), version, files }
}

const read = (file: string): Promise<string> => readFile(join(FOLDER, file), 'utf8')

async function ownFiles(): Promise<ConsoleFile[]> {
  const paths = globSync('**/*.{ts,css,svg}', { cwd: FOLDER }).sort()
  return await Promise.all(
    paths.map(async (path) => {
      const text = await read(path)
      return file(path, path.endsWith('.ts') ? stripTypeScriptTypes(text) : text)
    }),
  )
}

async function libraryFiles(): Promise<ConsoleFile[]> {
  const wanted = libraries.flatMap((library) => library.files.map((name) => ({ library, name })))
  return await Promise.all(
    wanted.map(async ({ library, name }) => {
      const text = await readFile(join(folderOf(library), name), 'utf8')
      // The package's source maps aren't served.
      return file(pathOf(library, name), text.replace(/\/\/# sourceMappingURL=.*\s*$/, ''))
    }),
  )
}

const file = (path: string, text: string): ConsoleFile => ({ path, type: TYPES[extname(path)] ?? '', text })

const PLACE = '<!-- files -->'

/** Puts links to the files of the console into its page. `base`: where they are, from the page. */
function fillPage(
  template: string,
  files: readonly ConsoleFile[],
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

/**
 * The modules that the page begins with are named, so that none is found only once the one that imports it has arrived.
 * What they import when it is first used comes then.
 */
function links(files: readonly ConsoleFile[], base: string): string[] {
  const first = importedBy(ENTRY, new Map(files.map(({ path, text }) => [path, text])))
  return files.flatMap(({ path }) => {
    if (path.endsWith('.css')) return [`<link rel="stylesheet" href="${base}${path}">`]
    if (path.endsWith('.svg')) return [`<link rel="icon" type="image/svg+xml" href="${base}${path}">`]
    if (path === ENTRY) return [`<script type="module" src="${base}${path}"></script>`]
    return first.has(path) ? [`<link rel="modulepreload" href="${base}${path}">`] : []
  })
}

/** The modules that come with one, through any number of imports. */
function importedBy(path: string, texts: ReadonlyMap<string, string>, found = new Set<string>()): ReadonlySet<string> {
  found.add(path)
  for (const [, specifier = ''] of (texts.get(path) ?? '').matchAll(IMPORT)) {
    const imported = specifier.startsWith('.') ? join(dirname(path), specifier) : libraryFile(specifier)
    if (!found.has(imported)) importedBy(imported, texts, found)
  }
  return found
}

/** Statements alone: `import()` is for later. */
const IMPORT = /(?<![\w/])(?:import|export)\s*(?:[\w*{}\s,$]*?\bfrom\s*)?["']([^"']+)["']/g

function libraryFile(specifier: string): string {
  const library = libraries.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
  if (!library) throw new Error(`The console imports ${specifier}, which libraries.ts lacks.`)
  return pathOf(library, specifier.slice(library.name.length + 1) || library.main)
}

const ENTRY = 'start.ts'
