import { accessSync, constants, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFullDisk } from '../../shared/adapters/sqlite/file/failures.ts'
import { FolderTaken, makeFolder } from '../../shared/adapters/sqlite/file/folder-lock.main.ts'
import { SettingsError } from '../../shared/runtime/settings/read-settings.ts'
import { CommandFailure } from '../exit.ts'
import { shellWord } from '../output/write.ts'

const FILES = ['lock', 'contracts.db', 'businesses.db', 'gateway.db'].flatMap((name) =>
  ['', '-wal', '-shm'].map((suffix) => name + suffix),
)

/** What SQLite needs to open two small databases. */
const ROOM_BYTES = 128 * 1024

const OR_ANOTHER = 'or set DATA_DIR to another folder'
const TO_GRANT = `grant it the permission, ${OR_ANOTHER}`
const reasons: Readonly<Record<string, string>> = {
  EACCES: `this user may not write there: ${TO_GRANT}`,
  EPERM: `this user may not write there: ${TO_GRANT}`,
  EROFS: `its file system is read-only: make it writable, ${OR_ANOTHER}`,
  ENOSPC: `its disk is full: make room, ${OR_ANOTHER}`,
  EDQUOT: `this user's disk quota is used up: make room, ${OR_ANOTHER}`,
  ENOTDIR: 'part of this path is not a folder: set DATA_DIR to another path',
  EEXIST: 'part of this path is not a folder: set DATA_DIR to another path',
  ENOENT: "a folder can't be created there: set DATA_DIR to another one",
}

/** Throws SettingsError for a path that a shell should have expanded. */
export function checkPath(folder: string): void {
  if (!folder.startsWith('~')) return
  throw new SettingsError([`DATA_DIR=${folder} starts with a ~ that no shell has expanded: use $HOME instead.`])
}

/** In a backup or a demo until it is complete: nobody must mistake a part of it for the whole. */
const UNFINISHED = 'unfinished-backup'

/** Marks a folder as incomplete until the returned function is called. */
export function markAsIncomplete(folder: string, what: 'backup' | 'demo'): () => void {
  const mark = join(folder, UNFINISHED)
  writeFileSync(mark, what)
  return () => rmSync(mark)
}

/** Throws an Error for a backup or a demo that was interrupted. */
export function checkIsWhole(folder: string): void {
  const mark = join(folder, UNFINISHED)
  if (!existsSync(mark)) return
  // Earlier versions left it empty.
  const what = readFileSync(mark, 'utf8') || 'backup'
  throw new Error(`DATA_DIR=${folder} is a ${what} that was interrupted: use another one.`)
}

/** Throws CommandFailure unless the folder has Mint's data. */
export function checkThatDataIsThere(folder: string): void {
  let why = ''
  let remedy = "set DATA_DIR to the folder of Mint's data"
  try {
    const found = ['contracts.db', 'businesses.db'].map((name) =>
      statSync(join(folder, name), { throwIfNoEntry: false }),
    )
    if (found.every((file) => file !== undefined)) return
    if (!existsSync(folder)) why = ' (there is no such folder)'
  } catch (error) {
    why = ` that this user may read (${(error as Error).message})`
    remedy += ', or run this command as the user that runs Mint'
  }
  throw new CommandFailure(`DATA_DIR=${folder} contains no Mint data${why}: ${remedy}.`)
}

/**
 * Runs `work` on a folder. If it fails because the folder can't be used, throws an Error that says why and what to do:
 * SQLite's own errors don't distinguish a full disk from a missing permission.
 */
export async function inFolder<Result>(folder: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FolderTaken) throw error
    const unusable = isFullDisk(error) ? reasons.ENOSPC : whyUnusable(folder)
    if (unusable === undefined) throw error
    throw new Error(`DATA_DIR=${folder} can't be used, ${unusable}.`, { cause: error })
  }
}

/** Why data can't be stored in the folder and what to do, found by trying; undefined if it can be. */
export function whyUnusable(folder: string): string | undefined {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isFile()) return 'it is a file: set DATA_DIR to a folder'
    makeFolder(folder)
    for (const name of FILES) {
      const found = statSync(join(folder, name), { throwIfNoEntry: false })
      if (found?.isDirectory()) return `it has a folder ${name} where Mint stores a file: move it away, ${OR_ANOTHER}`
      if (found && !mayWrite(join(folder, name))) return `this user may not write its file ${name}: ${TO_GRANT}`
    }
    tryWriting(join(folder, 'write-test'))
    return undefined
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return reasons[code ?? ''] ?? `${message}: set DATA_DIR to another folder`
  }
}

/**
 * Why a folder that can be used is not safe, and what to do; undefined: it is. Only a warning, because some volumes have
 * this mode whatever their owner does (an `emptyDir` of Kubernetes, a disk of Windows).
 */
export function whyUnsafe(folder: string): string | undefined {
  if ((statSync(folder).mode & 0o002) === 0) return undefined
  return `every user of this machine may replace the databases in DATA_DIR=${folder}: chmod 700 ${shellWord(folder)}`
}

function mayWrite(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    return false
  }
}

function tryWriting(file: string): void {
  // Removes what a crash left there, and any link, so that nothing is written through one.
  rmSync(file, { force: true })
  try {
    writeFileSync(file, Buffer.alloc(ROOM_BYTES), { flag: 'wx', flush: true })
  } finally {
    rmSync(file, { force: true })
  }
}
