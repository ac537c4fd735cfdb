import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSealing, type Sealing } from '../../shared/webhooks/secret.ts'

/** In the data folder: the key that seals the secrets of webhooks, which are in the database. */
export const WEBHOOK_KEY_FILE = 'webhook-key'

/** Seals with the configured key, or the folder's, which is made when it is first needed. */
export function sealingIn(folder: string, configured: string | undefined): () => Sealing {
  let sealing: Sealing | undefined
  return () => {
    sealing ??= createSealing(configured ?? keyIn(folder))
    return sealing
  }
}

/** The folder's key. Only its own user may read it. Throws the system's error. */
function keyIn(folder: string): string {
  const file = join(folder, WEBHOOK_KEY_FILE)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const key = randomBytes(32).toString('hex')
  const unfinished = `${file}.new`
  rmSync(unfinished, { force: true })
  writeFileSync(unfinished, `${key}\n`, { flag: 'wx', mode: 0o600, flush: true })
  renameSync(unfinished, file)
  return key
}
