import { lstatSync, rmSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandFailure, onInterrupt } from '../exit.ts'

/** Appends to the file that is being written. */
export type Append = (text: string) => Promise<void>

/**
 * Creates a file that only this user can read, completely or not at all: it gets its name once everything that `fill`
 * appends is on disk. It never writes through a file or a link that already exists, or appears meanwhile. Throws
 * CommandFailure, and what `fill` throws.
 */
export async function makeFile<Result>(file: string, fill: (append: Append) => Promise<Result>): Promise<Result> {
  if (isThere(file)) throw isThereAlready(file)
  const unfinished = `${file}.unfinished`
  const handle = await open(unfinished, 'wx', 0o600).catch((cause) => {
    throw notOpened(file, unfinished, cause)
  })
  using _interrupted = onInterrupt(() => rmSync(unfinished, { force: true }))
  try {
    const result = await fill((text) => orFailure(handle.appendFile(text), file))
    await orFailure(handle.sync(), file)
    await giveName(unfinished, file)
    return result
  } finally {
    await handle.close()
    await rm(unfinished, { force: true })
  }
}

/** Also true for a dangling link. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

const isThereAlready = (file: string) => new CommandFailure(`${file} already exists: name another file, or remove it.`)

function notOpened(file: string, unfinished: string, cause: NodeJS.ErrnoException): CommandFailure {
  if (cause.code === 'ENOENT') {
    return new CommandFailure(`${file} can't be created: there is no folder ${dirname(file)}.`, { cause })
  }
  if (cause.code !== 'EEXIST') return notWritten(file, cause)
  const remedy = 'another command is writing it, or was killed. Remove it if none is running.'
  return new CommandFailure(`${unfinished} is in the way: ${remedy}`, { cause })
}

/** Linking, unlike renaming, never replaces a file; some file systems have no links. */
async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file)
  } catch (error) {
    if (isThere(file)) throw isThereAlready(file)
    if (!WITHOUT_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw notWritten(file, error)
    await orFailure(rename(unfinished, file), file)
  }
}

const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

const orFailure = (done: Promise<void>, file: string): Promise<void> =>
  done.catch((cause: unknown) => {
    throw notWritten(file, cause)
  })

const notWritten = (file: string, cause: unknown) =>
  new CommandFailure(`${file} can't be written: ${(cause as Error).message}.`, { cause })
