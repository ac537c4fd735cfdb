import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AtEnd } from './cleanup.ts'

export interface TemporaryFolder {
  readonly path: string
  remove(): void
}

/** A new empty folder; whoever makes it removes it. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'mint-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Makes new empty folders that are gone after the running test: `atEnd` is what cleanup() answers. */
export function temporaryFolders(atEnd: AtEnd): () => string {
  return () => {
    const folder = atEnd.remove(temporaryFolder())
    return folder.path
  }
}
