import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'

const PARTS = [
  'package.json',
  'tsconfig.json',
  'buf.yaml',
  'buf.gen.yaml',
  'gateway',
  'proto',
  'services',
  'shared',
  'cli',
  'console',
  // Where the compiler asks the console for each kind of record.
  'tests/unit/console/kinds.test.ts',
]

/** A text of one file, and what a developer makes of it; a text of '' makes a new file. */
export interface Edit {
  readonly file: string
  readonly text: string
  readonly replacement: string
}

export interface ChangedTree extends TemporaryFolder {
  /** What the compiler says of the production code; empty when it has no objection. */
  compile(): Promise<string>
}

/** A copy of the production code with edits, whose code from proto is generated again. Throws where a text is missing. */
export async function changedTree(edits: readonly Edit[]): Promise<ChangedTree> {
  const folder = temporaryFolder()
  for (const part of PARTS) cpSync(part, join(folder.path, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder.path, 'node_modules'))
  for (const { file, text, replacement } of edits) {
    const path = join(folder.path, file)
    if (text === '') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, replacement)
      continue
    }
    const before = readFileSync(path, 'utf8')
    if (!before.includes(text)) throw new Error(`${file} has no ${text}`)
    writeFileSync(
      path,
      before.replace(text, () => replacement),
    )
  }
  const run = (program: string, ...parameters: string[]) =>
    promisify(execFile)(join('node_modules/.bin', program), parameters, { cwd: folder.path })
  if (edits.some(({ file }) => file.endsWith('.proto'))) await run('buf', 'generate')
  await run('node', 'proto/list-kinds.ts')
  const config = {
    extends: './tsconfig.json',
    include: ['services', 'gateway', 'shared', 'cli', 'tests/unit/console/kinds.test.ts'],
    exclude: [],
  }
  writeFileSync(join(folder.path, 'tsconfig.production.json'), JSON.stringify(config))
  return {
    ...folder,
    compile: () =>
      // In one thread it checks every file once; its threads each check what they share, for twice the processor time.
      run('tsc', '--noEmit', '--singleThreaded', '--project', 'tsconfig.production.json').then(
        () => '',
        ({ stdout }: { stdout: string }) => stdout,
      ),
  }
}

/** Calls the Mint of a changed tree. Not `restClient`, which checks answers against the document of this tree. */
export function callerOf({ url }: { readonly url: string }, key: string) {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
  return async (method: string, path: string, body?: object): Promise<{ status: number; text: string; body: any }> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
  }
}
