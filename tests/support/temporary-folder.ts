import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './cleanup.ts'

export interface TemporaryFolder {
  readonly path: string
  remove(): void
}

/** Creates an empty folder, which the caller must remove. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'mint-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** The path of a new empty folder that is removed after the running test. */
export const newFolder = (): string => atEnd.remove(temporaryFolder()).path
