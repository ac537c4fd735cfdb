import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import type { RecordOperation } from './per-record.ts'

const SOURCE = fileURLToPath(new URL('../porcupine', import.meta.url))

/** Builds it in a new folder. `go`: the Go command. */
export async function buildPorcupine(go: string) {
  const folder = temporaryFolder()
  const program = join(folder.path, 'torture')
  await promisify(execFile)(go, ['build', '-buildvcs=false', '-o', program, '.'], { cwd: SOURCE })
  return {
    /** Checks the operations on each record. */
    async check(operations: Iterable<RecordOperation>) {
      const file = join(folder.path, 'records.ndjson')
      await pipeline(Readable.from(linesOf(operations)), createWriteStream(file))
      const lines = (await outputOf(program, file)).trim().split('\n')
      // A line for each record whose history can't be explained, then how much was checked, in words.
      return { violations: lines.slice(0, -1), checked: lines.at(-1) ?? '' }
    },
    remove: folder.remove,
  }
}

/** The program that checks with Porcupine. */
export type Porcupine = Awaited<ReturnType<typeof buildPorcupine>>

async function outputOf(program: string, file: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, [file], { maxBuffer: 2 ** 26 })
    return stdout
  } catch (error) {
    const { code, stdout } = error as { readonly code?: unknown; readonly stdout?: string }
    // Its exit code when it has found violations; any other is a failure of the program itself.
    if (code === 1 && stdout) return stdout
    throw error
  }
}

function* linesOf(operations: Iterable<RecordOperation>): Iterable<string> {
  for (const operation of operations) yield `${JSON.stringify(operation)}\n`
}
