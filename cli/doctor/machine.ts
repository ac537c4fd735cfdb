import { accessSync, constants, existsSync, lstatSync, statfsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { lastTimeIn } from '../../shared/adapters/sqlite/file/unopened.main.ts'
import { neededFiles, openFilesLimit } from '../../shared/runtime/process/affordable-connections.ts'
import type { TlsFiles } from '../../shared/runtime/settings/tls.ts'
import { parseTlsFiles } from '../../shared/runtime/tls/certificates.ts'
import { readFiles } from '../../shared/runtime/watch-files.ts'
import { DATABASES, megabytesIn, statsOf } from '../admin/back-up-folder.ts'
import { shellWord } from '../output/write.ts'
import { whyUnsafe, whyUnusable } from '../start/usable-folder.ts'
import { type Finding, found } from './finding.ts'

/** A folder that a process stores its data or views in, and the setting that names it. */
export interface CheckedFolder {
  readonly setting: 'DATA_DIR' | 'VIEWS_DIR'
  readonly folder: string
}

/** With less, a rebuild of views or a busy day fills the disk. */
const ENOUGH_MEGABYTES = 1_000
/** With less, the next hour may. */
const CRITICAL_MEGABYTES = 100

/** Free space on the disk of a folder, or for it: a rebuild of its views takes as much again as its databases. */
export function checkDisk({ setting, folder }: CheckedFolder): Finding {
  const { bavail, bsize } = statfsSync(existing(folder))
  const [free, data] = [Math.floor((bavail * bsize) / 1_000_000), megabytesIn(folder)]
  const isEnough = free >= Math.max(ENOUGH_MEGABYTES, data)
  const state = isEnough ? 'ok' : free < CRITICAL_MEGABYTES ? 'problem' : 'warning'
  const what = `${free} MB free at ${setting}=${folder}, which holds ${data} MB`
  return found('disk', state, what, `make room, or move ${setting} to a larger disk`)
}

/** Whether this user may write there, and others may not. */
export function checkRights({ setting, folder }: CheckedFolder): Finding {
  const [unusable, remedy = ''] =
    whyUnusable(folder)
      ?.replaceAll('DATA_DIR', setting)
      .split(/: (.*)/) ?? []
  if (unusable !== undefined) return found('rights', 'problem', `${setting}=${folder}: ${unusable}`, remedy)
  const isSafe = whyUnsafe(folder) === undefined
  const who = isSafe ? 'writable, and not by every user' : 'writable by every user'
  return found('rights', isSafe ? 'ok' : 'warning', `${setting}=${folder} is ${who}`, `chmod 700 ${shellWord(folder)}`)
}

/** Whether a folder that doesn't exist yet can be created. */
export function checkPlace({ setting, folder }: CheckedFolder): Finding {
  const above = existing(folder, isThere)
  try {
    // Fails for a file, too, and for a link to nowhere, such as a disk that is not mounted.
    accessSync(`${above}/.`, constants.W_OK | constants.X_OK)
  } catch (error) {
    const what = `${setting}=${folder} can’t be created: ${(error as Error).message}`
    return found('rights', 'problem', what, `set ${setting} to another path, or allow this user to write to ${above}`)
  }
  return found('rights', 'ok', `${setting}=${folder} doesn’t exist: starting Mint creates it, empty`)
}

/** The folder itself, or the nearest one above it that exists. */
function existing(folder: string, exists: (path: string) => boolean = existsSync): string {
  let path = resolve(folder)
  while (!exists(path)) path = dirname(path)
  return path
}

/** Unlike existsSync, also true for a link to nowhere. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path) !== undefined
  } catch {
    return false
  }
}

/** Files or events from the future show that the clock has been set back. */
export function checkClock({ folder }: CheckedFolder, now: number): Finding {
  const times = DATABASES.map((name) => join(folder, name)).flatMap((file) => [
    ...[file, `${file}-wal`].map((path) => statsOf(path)?.mtimeMs ?? 0),
    lastTimeIn(file),
  ])
  const seconds = Math.round((Math.max(...times) - now) / 1_000)
  const isLater = seconds < 1
  const what = isLater
    ? `${new Date(now).toISOString()}, later than the last write`
    : `${seconds} s behind the last write: until it catches up, contracts get the times that follow that write`
  const remedy =
    'synchronise the clock with NTP; if it was ahead before, send a serviceDate with each contract until it catches up'
  return found('clock', isLater ? 'ok' : 'problem', what, remedy)
}

/** How many files and connections a process may have open. */
export function checkFileLimit(maxConnections: number): Finding {
  const [limit, needed] = [openFilesLimit(), neededFiles(maxConnections)]
  const allowed = Number.isFinite(limit) ? limit : 'any number of'
  const what = `${allowed} open files allowed here, ${needed} needed for MAX_CONNECTIONS=${maxConnections}`
  return found('files', limit >= needed ? 'ok' : 'warning', what, 'raise `ulimit -n`, or LimitNOFILE in a systemd unit')
}

const DAY = 24 * 60 * 60 * 1_000
/** Below this many days, renewal should have happened. */
const MIN_DAYS = 21

/** Whether a certificate can be used, and for how many days. */
export async function checkCertificate({ use, names, paths }: TlsFiles, now: number): Promise<Finding> {
  const check = `certificate of ${use === 'rest' ? 'REST' : 'gRPC'}`
  try {
    const { expiresAt } = parseTlsFiles({ use, names, paths }, await readFiles(paths))
    const days = Math.floor((expiresAt - now) / DAY)
    const what = `${names.cert}=${paths[names.cert]}, or what signed it, expires in ${days} days`
    return found(check, days >= MIN_DAYS ? 'ok' : 'warning', what, 'renew it: Mint reloads it by itself')
  } catch (error) {
    const remedy = `replace it, or correct ${Object.keys(paths).join(', ')}`
    return found(check, 'problem', (error as Error).message, remedy)
  }
}
