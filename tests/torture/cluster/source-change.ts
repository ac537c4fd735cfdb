import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A change of one source file that a process loads, as if it were of another version of Mint. */
export interface SourceChange {
  /** The end of the file's path. */
  readonly file: string
  /** The first occurrence is replaced. */
  readonly text: string
  readonly replacement: string
}

/** Another definition of the contracts view, which one upgrade brings and the next one takes back. */
export const OTHER_VIEW: SourceChange = {
  file: '/services/contracts/contract/view.ts',
  text: 'filters: {',
  replacement: 'filters: { tortured: (contract) => contract.notes.slice(0, 20),',
}

/** A defect that the checks must find: reads don't wait for what others have written. */
export const STALE_READS: SourceChange = {
  file: '/shared/adapters/sqlite/main-thread/following/followed-file.ts',
  text: 'await catchUp()\n      return await detectingDamage',
  replacement: 'catchUp().catch(() => undefined)\n      return await detectingDamage',
}

/** The setting by which tests/torture/cluster/process-hook.ts takes a change. Throws when the tree has no such text. */
export function changeSetting(change: SourceChange) {
  const { file, text } = change
  if (!readFileSync(join('.', file), 'utf8').includes(text)) throw new Error(`${file} has no ${text}`)
  return { TORTURE_CHANGE: JSON.stringify(change) }
}
