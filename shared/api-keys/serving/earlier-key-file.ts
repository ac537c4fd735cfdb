import { closeSync, fsyncSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { toCommandContext } from '../../event-sourcing/command-context.ts'
import type { Database } from '../../event-sourcing/ports/database.ts'
import { newRequestId } from '../../ids.ts'
import { createApiKeyCommands } from '../commands.ts'
import { SCOPES } from '../scopes.ts'
import { AT_START } from './first-key.ts'

/** The one key that versions before the log of keys made at their first start, as they kept it in its folder. */
const KEPT = z.strictObject({
  id: z.guid(),
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.number(),
})

/**
 * Takes an earlier version’s key over into the log, under its own id and time, and removes the file. However often that
 * is interrupted, the key is there once. Throws when the file is damaged, and as CommandHandler says.
 */
export async function takeOverEarlierKey(folder: string, database: Database): Promise<void> {
  const file = join(folder, 'api-key.json')
  const text = readIfThere(file)
  if (text === undefined) return
  const { id, name, sha256, createdAt } = parse(text, file)
  const commands = createApiKeyCommands({ database, clock: () => createdAt, newId: () => id })
  const context = toCommandContext({ actor: AT_START, requestId: newRequestId(), commitId: `earlier key ${id}` })
  await commands.create({ name, scopes: SCOPES, expiresAt: null }, sha256, context)
  removeDurably(folder, file)
}

function parse(text: string, file: string): z.infer<typeof KEPT> {
  try {
    return KEPT.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${file} is damaged. Restore it, or remove it to start without that key.`, { cause })
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** With what an interrupted version before may have left beside it. */
function removeDurably(folder: string, file: string): void {
  for (const name of [file, `${file}.new`]) rmSync(name, { force: true })
  const directory = openSync(folder, 'r')
  fsyncSync(directory)
  closeSync(directory)
}
