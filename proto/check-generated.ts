/** Exits with 1 when the generated code differs from what `npm run generate` would produce from the .proto files. */
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FOLDER = 'shared/gen'

const fresh = mkdtempSync(join(tmpdir(), 'mint-generated-'))
try {
  execFileSync('buf', ['generate', '--output', fresh], { stdio: 'inherit' })
  const before = generatedFiles('.')
  const after = generatedFiles(fresh)
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const different = names.filter((name) => before.get(name) !== after.get(name))
  for (const name of different) console.error(`${FOLDER}/${name} is not up to date`)
  if (different.length > 0) {
    console.error('Run `npm run generate` and commit the result.')
    process.exitCode = 1
  }
} finally {
  rmSync(fresh, { recursive: true })
}

/** Name → text of every generated file below a root. */
function generatedFiles(root: string): Map<string, string> {
  const folder = join(root, FOLDER)
  const names = globSync('*/**/*.ts', { cwd: folder })
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}
