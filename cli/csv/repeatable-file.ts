import {
  closeSync,
  constants,
  createReadStream,
  mkdtempSync,
  openSync,
  read,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { CommandFailure } from '../exit.ts'

/** A file that can be read as often as needed, even if it came through a pipe. */
export interface RepeatableFile extends Disposable {
  /** Its bytes, from the beginning. Throws CommandFailure. */
  chunks(): AsyncIterable<Buffer>
}

const STDIN = '-'
const CHUNK_BYTES = 65_536

/** Opens a file, or standard input for `-`. What isn’t a regular file is copied first. Throws CommandFailure. */
export async function openRepeatable(file: string): Promise<RepeatableFile> {
  const name = file === STDIN ? 'Standard input' : file
  const fd = await openDescriptor(file, name)
  return { chunks: () => chunksOf(fd, name), [Symbol.dispose]: () => closeSync(fd) }
}

async function openDescriptor(file: string, name: string): Promise<number> {
  if (file === STDIN) return await copyOf(() => process.stdin, name)
  try {
    const kind = statSync(file)
    if (kind.isFile()) return openSync(file, 'r')
    if (kind.isDirectory()) throw new CommandFailure(`${name} is a folder. Give a CSV file.`)
    return await copyOf(() => (kind.isFIFO() ? openPipe(file) : createReadStream(file)), name)
  } catch (cause) {
    throw cause instanceof CommandFailure ? cause : notRead(name, cause)
  }
}

/** Opened like a file, a pipe without a writer would block a thread, and the process could not exit. */
function openPipe(file: string): Readable {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  return new Socket({ fd, readable: true, writable: false })
}

/** Opens the source last: a pipe that is open but not read would keep the process alive after a failure. */
async function copyOf(open: () => Readable, name: string): Promise<number> {
  let copy: number | undefined
  try {
    copy = openNameless()
    for await (const chunk of open()) writeFileSync(copy, chunk)
    return copy
  } catch (cause) {
    if (copy !== undefined) closeSync(copy)
    const message = `${name} can’t be copied (${(cause as Error).message}). Save it as a file, and import that.`
    throw new CommandFailure(message, { cause })
  }
}

/**
 * A new file without a name: it disappears when closed, however this process ends. Synchronous, so that no signal comes
 * in between.
 */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'mint-import-'))
  try {
    return openSync(join(folder, 'copy.csv'), 'wx+', 0o600)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const readAt = promisify(read)

async function* chunksOf(fd: number, name: string): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const { bytesRead } = await readAt(fd, chunk, 0, CHUNK_BYTES, position).catch((cause) => {
      throw notRead(name, cause)
    })
    if (bytesRead === 0) return
    position += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}

const notRead = (name: string, cause: unknown) =>
  new CommandFailure(`${name} can’t be read (${(cause as Error).message}): name a file that you may read.`, { cause })
