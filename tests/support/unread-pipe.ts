import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** A named pipe, open for reading and writing, that is not read until `read` is called. */
export function unreadPipe(folder: string) {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  let text = ''
  const buffer = Buffer.alloc(64 * 1024)
  return {
    path,
    /** Drains the pipe, and returns everything written to it so far. */
    read(): string {
      try {
        for (;;) text += buffer.toString('latin1', 0, readSync(fd, buffer))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
        return text
      }
    },
    close: () => closeSync(fd),
  }
}
