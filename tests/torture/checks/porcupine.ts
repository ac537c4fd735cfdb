import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import type { RecordOperation } from './per-record.ts'

export interface LinearizabilityResult {
  /** A line for each record whose history can't be explained. */
  readonly violations: readonly string[]
  /** How much was checked, in words. */
  readonly checked: string
}

const SOURCE = fileURLToPath(new URL('../porcupine', import.meta.url))

/** Builds the program and lets it check what happened to each record. `go`: the Go command. */
export async function checkByPorcupine(
  go: string,
  operations: Iterable<RecordOperation>,
): Promise<LinearizabilityResult> {
  const folder = temporaryFolder()
  try {
    const program = join(folder.path, 'torture')
    await promisify(execFile)(go, ['build', '-buildvcs=false', '-o', program, '.'], { cwd: SOURCE })
    const file = join(folder.path, 'records.ndjson')
    await pipeline(Readable.from(linesOf(operations)), createWriteStream(file))
    const printed = await promisify(execFile)(program, [file], { maxBuffer: 2 ** 26 }).then(
      ({ stdout }) => stdout,
      (error: { readonly code?: unknown; readonly stdout?: string }) => {
        // 1 is its answer, everything else a failure of its own.
        if (error.code !== 1) throw error
        return error.stdout ?? ''
      },
    )
    const lines = printed.trim().split('\n')
    return { violations: lines.slice(0, -1), checked: lines.at(-1) ?? '' }
  } finally {
    folder.remove()
  }
}

function* linesOf(operations: Iterable<RecordOperation>): Iterable<string> {
  for (const operation of operations) yield `${JSON.stringify(operation)}\n`
}
