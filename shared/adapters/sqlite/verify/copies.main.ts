import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The path of a copy of a file's views: next to it, where there is room. In a container, /tmp may be in memory. */
export const copyPath = (file: string, name: string): string => `${file}-copy-${name}`

/**
 * Removes the copies whose names begin with `start`, with SQLite's auxiliary files; by default all, which killed
 * processes have left.
 */
export function removeCopies(file: string, start = ''): void {
  const [folder, prefix] = [dirname(file), basename(copyPath(file, start))]
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder)) if (entry.startsWith(prefix)) rmSync(join(folder, entry), { force: true })
}
