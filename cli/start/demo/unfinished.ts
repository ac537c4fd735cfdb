import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Stands in the folder while the demo is being filled in, so that a start after an interruption knows. */
const markerIn = (folder: string): string => join(folder, 'demo-unfinished')

/**
 * Marks the folder, durably, from before the first write of `fill` until all of them are on disk; the mark stays when
 * it throws. A mark that came back after a power cut would cost what is written from now on.
 */
export async function whileMarked(folder: string, fill: () => Promise<void>): Promise<void> {
  writeFileSync(markerIn(folder), '', { flag: 'wx' })
  syncFolder(folder)
  await fill()
  rmSync(markerIn(folder))
  syncFolder(folder)
}

function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r')
  fsyncSync(opened)
  closeSync(opened)
}

/**
 * What an interrupted demo left is removed when a demo is asked for again, and never served as if it were whole: any
 * other start throws with one line that says what to do. Nothing but the demo is lost, as the mark is only set on an
 * empty folder and nobody can write before it is gone. To be called under the folder's lock, before anything is opened.
 */
export function settleUnfinishedDemo(folder: string, { demo }: { readonly demo: boolean }): void {
  if (!existsSync(markerIn(folder))) return
  if (!demo) {
    throw new Error(
      `DATA_DIR=${folder} holds a demo that was interrupted: make it anew with \`npm start -- --demo\`, ` +
        'or remove the folder to start empty.',
    )
  }
  console.log('The demo was interrupted before it was whole: it is made anew.\n')
  for (const database of ['contracts.db', 'businesses.db']) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `${database}${suffix}`), { force: true })
  }
  // Last, so that an interruption here leaves it; the demo sets it again.
  rmSync(markerIn(folder))
}
