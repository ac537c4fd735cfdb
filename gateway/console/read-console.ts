import { hash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillPage } from './fill-page.ts'
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
