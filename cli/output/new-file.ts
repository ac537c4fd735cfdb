import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandFailure, onInterrupt } from '../exit.ts'

/** Appends to the file that is being written. */
export type Append = (text: string) => Promise<void>

/**
 * Creates a file that only this user can read, with everything that `fill` appends on disk; removes it if that fails
 * or is interrupted. A file that a kill leaves behind lacks the end of its contents. It never writes through a file or a
 * link that already exists. Throws CommandFailure, and what `fill` throws.
 */
export async function makeFile<Result>(file: string, fill: (append: Append) => Promise<Result>): Promise<Result> {
  const handle = await open(file, 'wx', 0o600).catch((cause) => {
    throw whyNotCreated(file, cause)
  })
  const remove = () => rmSync(file, { force: true })
  const orFailure = (done: Promise<void>) =>
    done.catch((cause) => {
      throw new CommandFailure(`${file} can't be written: ${cause.message}.`, { cause })
    })
  using _interrupted = onInterrupt(remove)
  try {
    const result = await fill((text) => orFailure(handle.appendFile(text)))
    await orFailure(handle.sync())
    return result
  } catch (error) {
    remove()
    throw error
  } finally {
    await handle.close()
  }
}

function whyNotCreated(file: string, cause: NodeJS.ErrnoException): CommandFailure {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `${file} can't be created: there is no folder ${dirname(file)}.`,
    // Also a folder, or a link to nowhere.
    EEXIST: `${file} already exists: name another file, or remove it.`,
  }
  return new CommandFailure(reasons[cause.code ?? ''] ?? `${file} can't be written: ${cause.message}.`, { cause })
}
