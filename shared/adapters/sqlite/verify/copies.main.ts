import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The path of a copy of a file's views: next to it, where there is room. In a container, /tmp may be in memory. */
export const copyPath = (file: string, name: string): string => `${file}-copy-${name}`

/** Removes the copy of this name, with SQLite's auxiliary files; without a name, all that killed processes left. */
export function removeCopies(file: string, name = ''): void {
  const [folder, start] = [dirname(file), basename(copyPath(file, name))]
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder)) if (entry.startsWith(start)) rmSync(join(folder, entry), { force: true })
}
