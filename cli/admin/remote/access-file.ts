import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailure } from '../../exit.ts'

/** How the Mint that runs on a folder can be asked for something. */
export interface AdminAccess {
  /** Of its admin service, for example `127.0.0.1:41233`. */
  readonly address: string
  /** Whoever sends it may do everything. */
  readonly token: string
}

/** The access file of a data folder. */
const accessFileIn = (folder: string): string => join(folder, 'admin.json')

/** Writes the file, whole, for this user's eyes only. Throws the system's error. */
export function writeAccessFile(folder: string, access: AdminAccess): void {
  const file = accessFileIn(folder)
  const beside = `${file}.new`
  // What a crash left there may have other rights: they are given at the making only.
  rmSync(beside, { force: true })
  writeFileSync(beside, JSON.stringify(access), { flag: 'wx', mode: 0o600 })
  renameSync(beside, file)
}

/** Also when there is none. Throws the system's error. */
export const removeAccessFile = (folder: string): void => rmSync(accessFileIn(folder), { force: true })

/** What the file says; undefined: there is none. Throws CommandFailure where it belongs to another user. */
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
