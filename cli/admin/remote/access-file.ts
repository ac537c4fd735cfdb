import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailure } from '../../exit.ts'

/** How to reach the Mint that runs on a folder. */
export interface AdminAccess {
  /** The address of its admin service, for example `127.0.0.1:41233`. */
  readonly address: string
  /** Grants whoever sends it every operation. */
  readonly token: string
}

/** The access file of a data folder. */
const accessFileIn = (folder: string): string => join(folder, 'admin.json')

/** Writes the file atomically, readable only by this user. Throws the system's error. */
export function writeAccessFile(folder: string, access: AdminAccess): void {
  const file = accessFileIn(folder)
  const beside = `${file}.new`
  // A file left by a crash may have other permissions: `mode` applies only to new files.
  rmSync(beside, { force: true })
  writeFileSync(beside, JSON.stringify(access), { flag: 'wx', mode: 0o600 })
  renameSync(beside, file)
}

/** Removes the file, if there is one. Throws the system's error. */
export const removeAccessFile = (folder: string): void => rmSync(accessFileIn(folder), { force: true })

/** Reads the file; undefined: there is none. Throws CommandFailure if it belongs to another user. */
export function readAccessFile(folder: string): AdminAccess | undefined {
  try {
    return JSON.parse(readFileSync(accessFileIn(folder), 'utf8'))
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || cause instanceof SyntaxError) return undefined
    throw new CommandFailure(
      `Mint is running on ${folder}, but ${accessFileIn(folder)} can't be read (${message}): run this command as the user ` +
        'that runs Mint.',
      { cause },
    )
  }
}
