import { closeSync, constants, createReadStream, fstatSync, openSync, read } from 'node:fs'
import { Socket } from 'node:net'
import { promisify } from 'node:util'
import { CommandFailure } from './exit.ts'

/** A file that a command reads, or standard input. */
export interface InputFile extends Disposable {
  /** Whether it can be read more than once. A pipe can’t. */
  readonly isRepeatable: boolean
  /** Its bytes, from the beginning. */
  chunks(): AsyncIterable<Buffer>
}

/**
 * Opens a file, or standard input for `-`; either may be a pipe (`<(…)`) or a file (`<`). Throws CommandFailure, which
 * ends with the remedy, as does reading it.
 */
export function openInput(file: string, remedy: string): InputFile {
  const isStandard = file === '-'
  const unreadable = (cause: unknown): CommandFailure => {
    const name = isStandard ? 'Standard input' : file
    return new CommandFailure(`${name} can’t be read (${(cause as Error).message}): ${remedy}.`, { cause })
  }
  async function* orUnreadable(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* chunks
    } catch (cause) {
      throw unreadable(cause)
    }
  }
  try {
    const fd = isStandard ? 0 : openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const kind = fstatSync(fd)
    if (kind.isDirectory()) throw new Error('it is a folder')
    const close = () => isStandard || closeSync(fd)
    if (kind.isFile()) return { isRepeatable: true, chunks: () => orUnreadable(chunksOf(fd)), [Symbol.dispose]: close }
    // Opened and read like a file, a pipe without a writer would block a thread, and the process could not exit.
    const open = () =>
      kind.isFIFO() ? new Socket({ fd, readable: true, writable: false }) : createReadStream('', { fd })
    return {
      isRepeatable: false,
      chunks: () => orUnreadable(isStandard ? process.stdin : open()),
      [Symbol.dispose]: () => undefined,
    }
  } catch (cause) {
    throw unreadable(cause)
  }
}

const readAt = promisify(read)
const CHUNK_BYTES = 65_536

/** Not a stream, which would close the file at its end. */
async function* chunksOf(fd: number): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await readAt(fd, Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}
