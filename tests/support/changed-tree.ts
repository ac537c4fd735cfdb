import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'

/** The parts of the tree that processes need. */
const NEEDED_TO_RUN = ['package.json', 'gateway', 'proto', 'services', 'shared']
/** In that test the compiler checks that the console has each kind of record. */
const KINDS_TEST = 'tests/unit/console/kinds.test.ts'
const NEEDED_TO_BUILD = [...NEEDED_TO_RUN, 'tsconfig.json', 'buf.yaml', 'buf.gen.yaml', 'cli', 'console', KINDS_TEST]

/** A text in one file, and what replaces it; an empty text creates a new file. */
export interface Edit {
  readonly file: string
  readonly text: string
  readonly replacement: string
}

/** A copy of those parts with one text of a file replaced. Throws if the text is missing. */
export const otherVersion = (file: string, text: string, replacement: string): TemporaryFolder =>
  copyOf(NEEDED_TO_RUN, [{ file, text, replacement }])

/** A copy of the production code with edits, with its code from proto regenerated. Throws if a text is missing. */
export async function changedTree(edits: readonly Edit[]) {
  const folder = copyOf(NEEDED_TO_BUILD, edits)
  const run = (program: string, ...parameters: string[]) =>
    promisify(execFile)(join('node_modules/.bin', program), parameters, { cwd: folder.path })
  if (edits.some(({ file }) => file.endsWith('.proto'))) await run('buf', 'generate')
  await run('node', 'proto/list-kinds.ts')
  const include = ['services', 'gateway', 'shared', 'cli', KINDS_TEST]
  const config = { extends: './tsconfig.json', include, exclude: [] }
  writeFileSync(join(folder.path, 'tsconfig.production.json'), JSON.stringify(config))
  return {
    ...folder,
    /** The compiler's errors in the production code; empty when it compiles. */
    compile: () =>
      // One thread checks every file once; several would each check shared files, for twice the processor time.
      run('tsc', '--noEmit', '--singleThreaded', '--project', 'tsconfig.production.json').then(
        () => '',
        ({ stdout }: { stdout: string }) => stdout,
      ),
  }
}

export type ChangedTree = Awaited<ReturnType<typeof changedTree>>

function copyOf(parts: readonly string[], edits: readonly Edit[]): TemporaryFolder {
  const folder = temporaryFolder()
  for (const part of parts) cpSync(part, join(folder.path, part), { recursive: true })
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
  return folder
}

/** Calls the Mint of a changed tree. Not `restClient`, which checks answers against the document of this tree. */
export function callerOf({ url, key }: { readonly url: string; readonly key: string }) {
  // biome-ignore lint/suspicious/noExplicitAny: any answer of the API
  return async (method: string, path: string, body?: object): Promise<{ status: number; text: string; body: any }> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
  }
}
