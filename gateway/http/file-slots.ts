import { ProblemError } from '../problem.ts'

/** How many files are received and imported at once: each takes up to 80 MB of memory. */
const MAX_FILES = 2

/** Runs the import of a file. Throws unavailable, before the file is read, while too many others run. */
export type FileSlots = <Result>(run: () => Promise<Result>) => Promise<Result>

/** Slots that all paths of a gateway share. */
export function createFileSlots(): FileSlots {
  let running = 0
  return async (run) => {
    if (running >= MAX_FILES) throw new ProblemError('unavailable', { detail: BUSY })
    running += 1
    try {
      return await run()
    } finally {
      running -= 1
    }
  }
}

const BUSY = 'Other files are being imported at the moment, and nothing of this one was written. Send it again later.'
