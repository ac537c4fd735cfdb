import { closeSync, fsyncSync, openSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Position } from '../../../event-sourcing/event.ts'
import { openForReading } from './connection.ts'
import { toFailure } from './failures.ts'

const CACHE_KILOBYTES = 2000
/**
 * All pages in one step: a copy in several steps restarts whenever the database was written to in between, so under
 * steady load it would never finish. It runs on its own thread and doesn't block writers.
 */
const PAGES_PER_STEP = 2 ** 31 - 1

/** Checkpoints of relays, by name. */
export type Checkpoints = ReadonlyMap<string, Position>

/**
 * Copies a database as of one moment, from any process, even while another one writes to it. When it resolves, the copy
 * is on disk and has been checked. Throws a one-line Error.
 */
export async function copyDatabase(file: string, copy: string): Promise<void> {
  try {
    using source = openForReading(file, CACHE_KILOBYTES)
    // Created first, so that other users can never read it; SQLite gives its auxiliary files the same permissions.
    closeSync(openSync(copy, 'wx', 0o600))
    await backup(source, copy, { rate: PAGES_PER_STEP })
  } catch (error) {
    throw new Error(`${file} can't be copied to ${copy}: ${toFailure(error).message}`)
  }
  checkCopy(copy)
  sync(copy)
}

/** The checkpoints of a database's relays. */
export function readCheckpoints(file: string): Checkpoints {
  using connection = openForReading(file, CACHE_KILOBYTES)
  const found = connection.prepare('SELECT name, position FROM checkpoints').all()
  return new Map(found.map(({ name, position }) => [String(name), Number(position) as Position]))
}

/** Rewinds the relays of a closed database to these checkpoints, unless they are further back already. */
export function rewindCheckpoints(file: string, checkpoints: Checkpoints): void {
  {
    // Closing the last connection checkpoints the write-ahead log into the file.
    using connection = new DatabaseSync(file)
    const rewind = connection.prepare('UPDATE checkpoints SET position = min(position, ?) WHERE name = ?')
    for (const { name } of connection.prepare('SELECT name FROM checkpoints').all()) {
      rewind.run(checkpoints.get(String(name)) ?? 0, String(name))
    }
  }
  sync(file)
}

function checkCopy(copy: string): void {
  using connection = new DatabaseSync(copy)
  const [found] = Object.values(connection.prepare('PRAGMA quick_check(1)').get() ?? {})
  if (found !== 'ok') throw new Error(`the copy ${copy} is damaged: ${found}`)
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
