import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'

/** What of the tree processes need. */
const PARTS = ['package.json', 'gateway', 'proto', 'services', 'shared']

/** A copy of the tree in which a text of one file, which must be there, is another. */
export function otherVersion(file: string, text: string, other: string): TemporaryFolder {
  const folder = temporaryFolder()
  for (const part of PARTS) cpSync(part, join(folder.path, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder.path, 'node_modules'))
  const changed = join(folder.path, file)
  const before = readFileSync(changed, 'utf8')
  if (!before.includes(text)) throw new Error(`${file} has no ${text}`)
  writeFileSync(changed, before.replace(text, other))
  return folder
}
