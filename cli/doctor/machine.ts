import { existsSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { neededFiles, openFilesLimit } from '../../shared/runtime/process/affordable-connections.ts'
import { DATABASES, megabytesIn } from '../admin/back-up-folder.ts'
import { whyUnsafe, whyUnusable } from '../start/usable-folder.ts'
import { type Finding, ok, wrong } from './finding.ts'

/** A folder that a process stores its data or views in, and the setting that names it. */
export interface CheckedFolder {
  readonly setting: 'DATA_DIR' | 'VIEWS_DIR'
  readonly folder: string
}

/** With less, a rebuild of views or a busy day fills the disk. */
const ENOUGH_MEGABYTES = 1_000
/** With less, the next hour may. */
const CRITICAL_MEGABYTES = 100

/** Free space on the disk of a folder: a rebuild of its views takes as much again as its databases. */
export function checkDisk({ setting, folder }: CheckedFolder): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const [free, data] = [Math.floor((bavail * bsize) / 1_000_000), megabytesIn(folder)]
  const what = `${free} MB free at ${setting}=${folder}, which holds ${data} MB`
  if (free >= Math.max(ENOUGH_MEGABYTES, data)) return ok('disk', what)
  const state = free < CRITICAL_MEGABYTES ? 'problem' : 'warning'
  return wrong('disk', { state, what, remedy: `make room, or move ${setting} to a larger disk` })
}

/** Whether this user may write there, and others may not. */
export function checkRights({ setting, folder }: CheckedFolder): Finding {
  const unusable = whyUnusable(folder)
  if (unusable !== undefined) return unusableFinding({ setting, folder }, unusable)
  const unsafe = whyUnsafe(folder)
  if (unsafe === undefined) return ok('rights', `${setting}=${folder} is writable, and not by every user`)
  return wrong('rights', { what: `${setting}=${folder} is writable by every user`, remedy: `chmod 700 ${folder}` })
}

/** Whether a folder that doesn't exist yet can be created and written to: tried with another one next to it. */
export function checkPlace({ setting, folder }: CheckedFolder): Finding {
  let above = dirname(resolve(folder))
  while (!existsSync(above)) above = dirname(above)
  const trial = join(above, `.mint-doctor-${process.pid}`)
  const unusable = whyUnusable(trial)
  rmSync(trial, { recursive: true, force: true })
  if (unusable !== undefined) return unusableFinding({ setting, folder }, unusable)
  return ok('rights', `${setting}=${folder} doesn’t exist: starting Mint creates it, empty`)
}

function unusableFinding({ setting, folder }: CheckedFolder, unusable: string): Finding {
  const [what = '', remedy = ''] = unusable.replaceAll('DATA_DIR', setting).split(/: (.*)/)
  return wrong('rights', { state: 'problem', what: `${setting}=${folder}: ${what}`, remedy })
}

/** A database that was last written in the future shows that the clock has been set back. */
export function checkClock({ folder }: CheckedFolder, now: number): Finding {
  const files = DATABASES.flatMap((name) => [name, `${name}-wal`])
  const times = files.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const seconds = Math.round((Math.max(...times) - now) / 1_000)
  if (seconds < 1) return ok('clock', `${new Date(now).toISOString()}, later than the last write`)
  return wrong('clock', {
    state: 'problem',
    what: `${seconds} s behind the last write: records would get dates from before it`,
    remedy: 'set the clock, and synchronise it with NTP',
  })
}

/** How many files and connections a process may have open. */
export function checkFileLimit(maxConnections: number): Finding {
  const [limit, needed] = [openFilesLimit(), neededFiles(maxConnections)]
  if (limit === Number.POSITIVE_INFINITY) return ok('files', 'this system reports no limit on open files')
  const what = `${limit} open files allowed here, ${needed} needed for MAX_CONNECTIONS=${maxConnections}`
  if (limit >= needed) return ok('files', what)
  return wrong('files', { what, remedy: 'raise `ulimit -n`, or LimitNOFILE in a systemd unit' })
}
