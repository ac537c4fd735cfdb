import { readFile } from 'node:fs/promises'
import { repeat } from '../async/repeat.ts'
import type { Logger } from './log/logger.ts'
import type { Metrics } from './metrics/metrics.ts'
import { requireRegular, SettingsError } from './settings/read-settings.ts'

/** The contents of files, by the setting that names the file. */
export type FileContents = Readonly<Record<string, Buffer>>

/** The parts of a process that watching files needs. */
export interface WatchSurroundings {
  readonly logger: Logger
  readonly metrics: Metrics
  /** Registers the function that stops watching. */
  readonly atEnd: (end: () => Promise<void>) => void
  /** Interval between two reads of the files, in milliseconds. */
  readonly pollMilliseconds?: number
}

export interface WatchedFilesOptions<Value> extends WatchSurroundings {
  /** What the files are for: in the log, and as the label of their metric. */
  readonly use: string
  /** Paths by setting. */
  readonly files: Readonly<Record<string, string>>
  /** Converts the contents to a value. Rejects when they can't be used, with a message that names the setting. */
  readonly parse: (contents: FileContents) => Value | Promise<Value>
}

export interface WatchedFiles<Value> {
  /** The value from the last usable contents. */
  current(): Value
  /** Calls the listener with each new value. */
  onChange(listener: (value: Value) => void): void
}

/** The contents as read, or why they can't be. */
type Reading = FileContents | Error

/**
 * Reads files, and reads them again whenever their bytes change, however they are replaced: in place, by rename, behind
 * a symbolic link. New contents are used once two reads in a row have found them, so that no half-written file is used,
 * and only if `parse` accepts them; otherwise there is a log line, and `mint_files_unusable` is 1. Without files, the
 * value is constant. Rejects with a SettingsError when the files can't be used at the start.
 */
export async function watchFiles<Value>(options: WatchedFilesOptions<Value>): Promise<WatchedFiles<Value>> {
  const { use, files, parse, logger, metrics, atEnd, pollMilliseconds = 2_000 } = options
  const listeners: ((value: Value) => void)[] = []
  let seen = await readAll(files)
  let evaluated = seen
  let value = await parsed(seen, parse).catch((error: Error) => {
    throw new SettingsError([error.message])
  })
  if (Object.keys(files).length === 0) return { current: () => value, onChange: () => undefined }
  let isUsable = true

  async function poll(): Promise<void> {
    const before = seen
    seen = await readAll(files)
    const isKnown = isSame(seen, evaluated)
    if (!isSame(seen, before) || (isKnown && isUsable)) return
    evaluated = seen
    try {
      value = await parsed(seen, parse)
      isUsable = true
      logger.info({ use, files }, 'changed files are in use')
      for (const listener of listeners) listener(value)
    } catch (error) {
      // Retried at each read, as the cause may lie elsewhere, but logged once.
      if (!isKnown)
        logger.error({ use }, `changed files can’t be used, the previous ones stay in use: ${(error as Error).message}`)
      isUsable = false
    }
  }

  const help = '1 while the files on disk can’t be used, so that their previous contents stay in use.'
  metrics.gauge({ name: 'mint_files_unusable', help, labels: { use } }, async () => (isUsable ? 0 : 1))
  atEnd(repeat(poll, pollMilliseconds).stop)
  return { current: () => value, onChange: (listener) => listeners.push(listener) }
}

const readAll = (files: Readonly<Record<string, string>>): Promise<Reading> =>
  readFiles(files).catch((error: Error) => error)

/** Reads files by the settings that name them. Rejects with an Error that names the setting, also for a pipe. */
export async function readFiles(files: Readonly<Record<string, string>>): Promise<FileContents> {
  const reading = Object.entries(files).map(async ([name, path]) => [name, await readOne(name, path)] as const)
  return Object.fromEntries(await Promise.all(reading))
}

async function readOne(name: string, path: string): Promise<Buffer> {
  try {
    requireRegular(path)
    return await readFile(path)
  } catch (error) {
    throw new Error(
      `${name}=${path} can’t be read (${(error as Error).message}): name a file that Mint’s user may read`,
    )
  }
}

async function parsed<Value>(reading: Reading, parse: WatchedFilesOptions<Value>['parse']): Promise<Value> {
  if (reading instanceof Error) throw reading
  return await parse(reading)
}

function isSame(one: Reading, other: Reading): boolean {
  if (one instanceof Error || other instanceof Error) return String(one) === String(other)
  return Object.entries(one).every(([name, bytes]) => other[name]?.equals(bytes))
}
