/** Writes `kinds.ts` of each service: the kinds of records that have a folder with a `kind.ts` there. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const isCheck = process.argv.includes('--check')

for (const service of ['services/businesses', 'services/contracts']) {
  const file = `${service}/kinds.ts`
  const text = listOf(globSync('*/kind.ts', { cwd: service }).map(dirname).sort())
  if (!isCheck) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is not up to date: run \`npm run generate\` and commit the result.`)
    process.exitCode = 1
  }
}

function listOf(kinds: readonly string[]): string {
  const entries = kinds.map((kind) => `\n  ${kind}: ${kind}Kind,`).join('')
  return [
    "import type { PlainKinds } from '../../shared/kinds/record-services.ts'",
    ...kinds.map((kind) => `import { ${kind}Kind } from './${kind}/kind.ts'`),
    '',
    '/** The kinds whose commands depend on the record alone, as listed by `npm run generate`. */',
    `export const plainKinds = {${entries}${entries && '\n'}} satisfies PlainKinds`,
    '',
  ].join('\n')
}
