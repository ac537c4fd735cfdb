import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
export function temporaryFolders(atEnd: (end: () => unknown) => void): () => string {
  return () => {
    const folder = temporaryFolder()
    atEnd(folder.remove)
    return folder.path
  }
}
