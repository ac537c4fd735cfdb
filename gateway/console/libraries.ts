import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

/** A package that the console imports: its files for the browser. */
interface Library {
  readonly name: string
  /** The file that importing it loads. */
  readonly main: string
  /** What it is imported as: its name alone, by default. */
  readonly importedAs?: string
  /** Other files that are imported. What any of them import is found. */
  readonly more?: readonly string[]
}

/** The packages of the console. Node's resolution would answer with their variants for Node. */
export const libraries: readonly Library[] = [
  { name: 'lit-html', main: 'lit-html.js', more: ['directives/live.js'] },
  { name: 'big.js', main: 'big.mjs' },
  { name: 'write-excel-file', main: 'universal/index.js', importedAs: 'write-excel-file/universal' },
  { name: 'read-excel-file', main: 'universal/index.js', importedAs: 'read-excel-file/universal' },
  { name: 'fflate', main: 'esm/browser.js', importedAs: 'fflate/browser' },
]

/** Modules of the console that packages import instead of another package. */
export const replacements: Readonly<Record<string, string>> = { fflate: 'sheets/fflate.ts' }

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
