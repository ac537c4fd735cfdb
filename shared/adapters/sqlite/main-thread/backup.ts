import { closeSync, fsyncSync, openSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Position } from '../../../event-sourcing/event.ts'
import { openForReading } from '../any-thread/connection.ts'
import { toFailure } from '../any-thread/failures.ts'

const CACHE_KILOBYTES = 2000
/**
 * All pages in one step: a copy in several begins anew whenever the database was written to in between, and beside a
 * steady load it would never end. It runs on a thread of its own and holds up no writer.
 */
const PAGES_PER_STEP = 2 ** 31 - 1

/** The checkpoints of relays, by name. */
export type Checkpoints = ReadonlyMap<string, Position>

/**
 * Copies a database as it is at one moment, from any process and while another one writes to it. What it answers for
 * is on disk and was read again as a whole. Throws an Error of one line.
 */
export async function copyDatabase(file: string, copy: string): Promise<void> {
  let source: DatabaseSync | undefined
  try {
    source = openForReading(file, CACHE_KILOBYTES)
    // Made first, so that nobody else may read it at any time; what SQLite puts beside it gets the same rights.
    closeSync(openSync(copy, 'wx', 0o600))
    await backup(source, copy, { rate: PAGES_PER_STEP })
  } catch (error) {
    throw new Error(`${file} can't be copied to ${copy}: ${toFailure(error).message}`)
  } finally {
    source?.close()
  }
  checkCopy(copy)
  sync(copy)
}

/** How far the relays of a database's log have come. */
export function readCheckpoints(file: string): Checkpoints {
  const connection = openForReading(file, CACHE_KILOBYTES)
  try {
    const found = connection.prepare('SELECT name, position FROM checkpoints').all()
    return new Map(found.map(({ name, position }) => [String(name), Number(position) as Position]))
  } finally {
    connection.close()
  }
}

/** Sets relays of a database that nobody has open back to where they were; those that were further back stay there. */
export function setBackCheckpoints(file: string, checkpoints: Checkpoints): void {
  const connection = new DatabaseSync(file)
  try {
    const setBack = connection.prepare('UPDATE checkpoints SET position = min(position, ?) WHERE name = ?')
    for (const { name } of connection.prepare('SELECT name FROM checkpoints').all()) {
      setBack.run(checkpoints.get(String(name)) ?? 0, String(name))
    }
  } finally {
    // The last connection to close empties the write-ahead log into the file.
    connection.close()
  }
  sync(file)
}

function checkCopy(copy: string): void {
  const connection = new DatabaseSync(copy)
  try {
    const [found] = Object.values(connection.prepare('PRAGMA quick_check(1)').get() ?? {})
    if (found !== 'ok') throw new Error(`the copy ${copy} is damaged: ${found}`)
  } finally {
    connection.close()
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
