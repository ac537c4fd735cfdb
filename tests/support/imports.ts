import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { posix } from 'node:path'

export interface Import {
  /** The importing file, from the project's root. */
  readonly from: string
  /** The imported file from the project's root, or the package's name as written (`node:fs`, `@grpc/grpc-js`). */
  readonly to: string
  /** Whether it exists at run time; false for type-only imports. */
  readonly atRunTime: boolean
  /** Whether it is loaded with the file, not only once an `import()` is reached. */
  readonly atOnce: boolean
}

const PRODUCTION_CODE = ['cli', 'console', 'gateway', 'services', 'shared']

/** Every import in the project's own production code, parsed from the sources. */
export function readImports(): Import[] {
  return productionFiles().flatMap((from) => {
    const source = readFileSync(from, 'utf8')
    const stripped = stripTypeScriptTypes(source)
    const [runTime, atOnce] = [new Set(specifiers(stripped)), new Set(specifiers(stripped, [STATEMENT]))]
    return specifiers(source).map((specifier) => ({
      from,
      to: specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier,
      atRunTime: runTime.has(specifier),
      atOnce: atOnce.has(specifier),
    }))
  })
}

/** The files of the project's own production code, without generated code. */
export function productionFiles(): string[] {
  const files = PRODUCTION_CODE.flatMap((folder) => globSync(`${folder}/**/*.{ts,js}`))
  return files.filter((file) => !file.startsWith('shared/gen/')).sort()
}

/** The shortest import cycle through each file that is in one: `a.ts → b.ts → a.ts`. */
export function circlesOf(imports: readonly Pick<Import, 'from' | 'to'>[]): string[] {
  const importsOf = Map.groupBy(imports, ({ from }) => from)
  const circleThrough = (file: string): string[] => {
    const paths = [[file]]
    const reached = new Set<string>()
    for (const path of paths) {
      for (const { to } of importsOf.get(path.at(-1) ?? '') ?? []) {
        if (to === file) return [[...path, to].join(' → ')]
        if (!reached.has(to)) paths.push([...path, to])
        reached.add(to)
      }
    }
    return []
  }
  return [...importsOf.keys()].flatMap(circleThrough)
}

/** The transitive run-time imports of a file: files and packages. */
export function reachableAtRunTime(file: string, imports: readonly Import[]): Set<string> {
  const reached = new Set<string>()
  const visit = (from: string): void => {
    for (const found of imports) {
      if (found.from !== from || !found.atRunTime || reached.has(found.to)) continue
      reached.add(found.to)
      visit(found.to)
    }
  }
  visit(file)
  return reached
}

const STATEMENT = /^(?:import|export)\s(?:[^'"`;()]*?\sfrom\s*)?['"]([^'"]+)['"]/gm
const CALL = /\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/g

const specifiers = (source: string, forms: readonly RegExp[] = [STATEMENT, CALL]): string[] =>
  forms.flatMap((form) => [...source.matchAll(form)].map((match) => match[1] ?? ''))
