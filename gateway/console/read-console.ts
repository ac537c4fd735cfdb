import { createHash, hash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { init, parse } from 'es-module-lexer'
import { folderOf, libraries, pathOf, replacements } from './libraries.ts'

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
  /** Identifies exactly these files, so that a browser may cache them for good. */
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
  '.json': 'application/json',
}

/** Reads the console from disk, its modules without their types. */
export async function readConsole(): Promise<Console> {
  await init
  const [template, own, foreign] = await Promise.all([read('console.html'), ownFiles(), libraryFiles()])
  const files = [...own, ...foreign]
  const version = hash('sha256', JSON.stringify(files)).slice(0, 16)
  const modules = modulesFrom(ENTRY, new Map(files.map((file) => [file.path, file])))
  const linked = files.filter(({ path }) => !isModule(path) || modules.has(path))
  return { ...fillPage(template, linked, `console/${version}/`), version, files }
}

const read = (file: string): Promise<string> => readFile(join(FOLDER, file), 'utf8')

async function ownFiles(): Promise<ConsoleFile[]> {
  const paths = globSync(['**/*.{ts,css,svg}', 'languages/*.json'], { cwd: FOLDER }).sort()
  return await Promise.all(
    paths.map(async (path) => {
      const text = await read(path)
      return file(path, path.endsWith('.ts') ? stripTypeScriptTypes(text) : text)
    }),
  )
}

/** The files of the packages: those that are imported, and what they import in their own package. */
async function libraryFiles(): Promise<ConsoleFile[]> {
  const files = new Map<string, ConsoleFile>()
  async function add(library: (typeof libraries)[number], name: string): Promise<void> {
    const path = pathOf(library, name)
    if (files.has(path)) return
    const source = await readFile(join(folderOf(library), name), 'utf8')
    // The package's source maps aren't served.
    const text = source.replace(/\/\/# sourceMappingURL=.*\s*$/, '')
    files.set(path, file(path, text))
    const own = importsOf(text).filter((specifier) => specifier.startsWith('.'))
    for (const specifier of own) await add(library, join(dirname(name), specifier))
  }
  for (const library of libraries) {
    for (const name of [library.main, ...(library.more ?? [])]) await add(library, name)
  }
  return [...files.values()]
}

/** The static imports of a module. */
function importsOf(text: string): readonly string[] {
  const [imports] = parse(text)
  const isStatic = ({ type }: { readonly type: string }) => type === 'static' || type === 'reexport-star'
  return imports.filter(isStatic).map(({ specifier }) => specifier ?? '')
}

const file = (path: string, text: string): ConsoleFile => ({ path, type: TYPES[extname(path)] ?? '', text })

interface Linked {
  readonly path: string
}

const PLACEHOLDER = '<!-- files -->'

/** Puts links to the files of the console into its page. `base`: where they are, from the page. */
function fillPage(
  template: string,
  files: readonly Linked[],
  base: string,
): { readonly page: string; readonly importMapHash: string } {
  if (!template.includes(PLACEHOLDER)) throw new Error(`console.html has no ${PLACEHOLDER}`)
  const map = importMap(base)
  const page = template.replace(
    PLACEHOLDER,
    [`<script type="importmap">${map}</script>`, ...links(files, base)].join('\n    '),
  )
  const importMapHash = `sha256-${createHash('sha256').update(map).digest('base64')}`
  return { page, importMapHash }
}

function importMap(base: string): string {
  const imports = libraries.flatMap((library) => [
    [library.importedAs ?? library.name, `./${base}${pathOf(library, library.main)}`],
    [`${library.name}/`, `./${base}${pathOf(library, '')}/`],
  ])
  for (const [name, path] of Object.entries(replacements)) imports.push([name, `./${base}${path}`])
  return JSON.stringify({ imports: Object.fromEntries(imports) })
}

const ENTRY = 'start.ts'

const isModule = (path: string): boolean => TYPES[extname(path)]?.startsWith('text/javascript') ?? false

/**
 * The paths of a module and of its static imports, direct and indirect. A browser loads the others when they are first
 * used.
 */
function modulesFrom(entry: string, files: ReadonlyMap<string, ConsoleFile>): ReadonlySet<string> {
  const found = new Set<string>()
  function follow(path: string): void {
    const module = files.get(path)
    if (!module) throw new Error(`The console has no ${path}, which one of its modules imports.`)
    if (found.has(path)) return
    found.add(path)
    for (const specifier of importsOf(module.text)) follow(pathFrom(path, specifier))
  }
  follow(entry)
  return found
}

/** Resolves an import as the import map does. */
function pathFrom(importer: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier)
  const library = libraries.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
  if (!library) throw new Error(`${importer} imports ${specifier}, which isn’t one of the console’s packages.`)
  return pathOf(
    library,
    specifier === (library.importedAs ?? library.name) ? library.main : specifier.slice(library.name.length + 1),
  )
}

/** Preloads all modules: otherwise each is discovered only once the one that imports it has arrived. */
function links(files: readonly Linked[], base: string): string[] {
  return files.flatMap(({ path }) => {
    if (path.endsWith('.css')) return [`<link rel="stylesheet" href="${base}${path}">`]
    if (path.endsWith('.svg')) return [`<link rel="icon" type="image/svg+xml" href="${base}${path}">`]
    if (path.endsWith('.json')) return []
    if (path === ENTRY) return [`<script type="module" src="${base}${path}"></script>`]
    return [`<link rel="modulepreload" href="${base}${path}">`]
  })
}
