import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** A pipe with a name, open for reading and writing, which nobody reads until `read` is called. */
export function unreadPipe(folder: string) {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  let text = ''
  const buffer = Buffer.alloc(64 * 1024)
  return {
    path,
    /** Empties the pipe, and returns everything that has come through it. */
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
