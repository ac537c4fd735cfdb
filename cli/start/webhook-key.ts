import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { webhookSettings } from '../../gateway/config.ts'
import { CodedError } from '../../shared/calls/errors.ts'
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

/** The folder's key. Only its own user may read it. Throws CodedError `unavailable`. */
function keyIn(folder: string): string {
  const file = join(folder, WEBHOOK_KEY_FILE)
  try {
    const key = statSync(file, { throwIfNoEntry: false }) ? readFileSync(file, 'utf8').trim() : makeKey(file)
    if (webhookSettings.WEBHOOK_KEY.safeParse(key).success) return key
  } catch (cause) {
    const why = `The file ${WEBHOOK_KEY_FILE} in DATA_DIR can’t be read or written: ${(cause as Error).message}.`
    throw new CodedError('unavailable', why, { cause })
  }
  throw new CodedError('unavailable', DAMAGED)
}

function makeKey(file: string): string {
  const key = randomBytes(32).toString('hex')
  const unfinished = `${file}.new`
  rmSync(unfinished, { force: true })
  writeFileSync(unfinished, `${key}\n`, { flag: 'wx', mode: 0o600, flush: true })
  renameSync(unfinished, file)
  return key
}

/** Anybody could open what is sealed with a key that was lost in a copy. */
const DAMAGED =
  `The file ${WEBHOOK_KEY_FILE} in DATA_DIR is damaged: restore it from a backup, or remove it, restart Mint and rotate ` +
  'the secret of each webhook.'
