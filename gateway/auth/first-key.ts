import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { SCOPES } from './scopes.ts'
import { generateSecret, hashSecret } from './secret.ts'
import type { StoredApiKey } from './static-api-keys.ts'

const STORED = z.strictObject({
  id: z.guid(),
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.number(),
})

/**
 * The key that is made at the first start in a folder, with all scopes. Its secret is answered that once and kept
 * nowhere: the file holds its SHA-256, is readable by its owner only, and is on disk before this answers.
 * Throws when the folder can't be written or the file is damaged.
 */
export function firstKey(options: {
  readonly folder: string
  readonly clock: () => number
  readonly newId: () => string
}): { readonly key: StoredApiKey; readonly secret?: string } {
  const kept = readFirstKey(options.folder)
  if (kept) return { key: kept }
  const secret = generateSecret()
  const stored = { id: options.newId(), name: 'first', sha256: hashSecret(secret), createdAt: options.clock() }
  writeDurably(options.folder, fileIn(options.folder), JSON.stringify(stored))
  return { key: withScopes(stored), secret }
}

/** The key that an earlier start made in the folder, if any. Throws when its file is damaged. */
export function readFirstKey(folder: string): StoredApiKey | undefined {
  const text = readIfThere(fileIn(folder))
  return text === undefined ? undefined : parse(text, fileIn(folder))
}

const fileIn = (folder: string): string => join(folder, 'api-key.json')

function parse(text: string, file: string): StoredApiKey {
  try {
    return withScopes(STORED.parse(JSON.parse(text)))
  } catch (cause) {
    throw new Error(`${file} is damaged. Restore it, or remove it to get a new key at the next start.`, { cause })
  }
}

function withScopes({ id, name, sha256 }: z.infer<typeof STORED>): StoredApiKey {
  return { id, name, sha256, scopes: SCOPES }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whole or not at all, also across a power cut: written beside, synced, renamed, and the folder synced. */
function writeDurably(folder: string, file: string, text: string): void {
  const beside = `${file}.new`
  const written = openSync(beside, 'w', 0o600)
  try {
    writeSync(written, text)
    fsyncSync(written)
  } finally {
    closeSync(written)
  }
  renameSync(beside, file)
  const directory = openSync(folder, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
