import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A change to one source file that a process loads, as if from another version of Mint. */
export interface SourceChange {
  /** A suffix of the file's path. */
  readonly file: string
  /** The first occurrence is replaced. */
  readonly text: string
  readonly replacement: string
}

/** Another definition of the contracts view, which one upgrade introduces and the next one reverts. */
export const OTHER_VIEW: SourceChange = {
  file: '/services/contracts/contract/view.ts',
  text: 'filters: {',
  replacement: 'filters: { tortured: (contract) => contract.notes.slice(0, 20),',
}

/** Defects that the checks must find; each removes something that a guarantee depends on. */
export const DEFECTS = {
  /** Reads don't wait for other processes' writes. */
  'stale-reads': [
    {
      file: '/shared/adapters/sqlite/following/followed-file.main.ts',
      text: 'await catchUp()\n      return await detectingDamage',
      replacement: 'catchUp().catch(() => undefined)\n      return await detectingDamage',
    },
  ],
  /** The version of the closing is not read again when a caller has read a newer one. */
  'old-closing': [
    {
      file: '/shared/adapters/mongo/log/log-end.ts',
      text: 'known !== undefined && known >= decidedOn',
      replacement: 'known !== undefined',
    },
  ],
  /** A refusal says nothing about earlier attempts. */
  'refusal-not-final': [
    {
      file: '/shared/event-sourcing/final-refusal.ts',
      text: 'if (!isRefusal || context.isNewCommit) return outcome',
      replacement: 'return outcome',
    },
  ],
  /** A no-op edit is answered without a majority. */
  'unconfirmed-edit': [
    {
      file: '/shared/event-sourcing/record-decision.ts',
      text: 'if (isNewCommit && requestHash === undefined) {',
      replacement: 'if (isNewCommit && requestHash === undefined) { return outcome',
    },
  ],
  /** A Client skips the versions of its business whose messages it missed, and never catches up on them. */
  'names-skipped': [
    {
      file: '/services/contracts/client/decide.ts',
      text: 'if (sourceVersion > reached + 1) {',
      replacement: 'if (false) {',
    },
    {
      file: '/services/contracts/client/decide.ts',
      text: 'if (includes(client.missing, sourceVersion))',
      replacement: 'if (false)',
    },
  ],
  /** A process's writes may be dated before the end of the log, or before a moment that was reported on. */
  'own-clock': [
    {
      file: '/services/contracts/report/report-clock.ts',
      text: 'stamped = Math.max(clock(), stamped, past.latest() + 1)',
      replacement: 'stamped = Math.max(clock(), stamped)',
    },
  ],
} satisfies Readonly<Record<string, readonly SourceChange[]>>

/** The environment variable with changes for tests/torture/cluster/process-hook.ts. Throws if the tree lacks a text. */
export function changeSetting(changes: readonly SourceChange[]) {
  for (const { file, text } of changes) {
    if (!readFileSync(join('.', file), 'utf8').includes(text)) throw new Error(`${file} has no ${text}`)
  }
  return { TORTURE_CHANGES: JSON.stringify(changes) }
}
