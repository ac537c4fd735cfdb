import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

/** A package that the console imports: its files for the browser. */
interface Library {
  readonly name: string
  /** What importing it by its name alone gives. */
  readonly main: string
  /** All files that are needed, those that its own modules import included. */
  readonly files: readonly string[]
}

/** The packages of the console. Node's resolution would answer with their variants for Node. */
export const libraries: readonly Library[] = [
  {
    name: 'lit-html',
    main: 'lit-html.js',
    files: ['lit-html.js', 'directive.js', 'directive-helpers.js', 'directives/live.js'],
  },
  { name: 'big.js', main: 'big.mjs', files: ['big.mjs'] },
]

/** Where a package's files are on disk. */
export function folderOf({ name }: Library): string {
  const place = findPackageJSON(name, import.meta.url)
  if (place === undefined) throw new Error(`The package ${name} is missing. Run npm ci.`)
  return dirname(place)
}

/** Where the page finds a file of a package, from the folder of the console's files. */
export function pathOf({ name }: Library, file: string): string {
  return join('lib', name, file)
}
