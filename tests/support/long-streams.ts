import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { ViewRow } from '../../shared/event-sourcing/ports/view.ts'
import { SNAPSHOT_INTERVAL } from '../../shared/event-sourcing/snapshots.ts'
import { append, edited, type Job, jobs, NOON } from './jobs.ts'
import { waitFor } from './wait-for.ts'

/** Edits a job this many times, and moves its rows after the earlier ones; two versions share each millisecond. */
export async function appendEdits(database: Database, versions: ViewRow<Job>[], edits: number): Promise<void> {
  for (let edit = 0; edit < edits; edit++) {
    const before = versions.at(-1) as ViewRow<Job>
    const at = NOON + Math.floor(before.version / 2)
    versions.push(await append(database, edited(before, { title: `Version ${before.version + 1}` }, at)))
  }
}

/** Waits until job 1 has every snapshot of these versions: on MongoDB an append doesn't wait for them. */
export async function hasSnapshots(database: Database, versions: readonly ViewRow<Job>[]): Promise<void> {
  const expected = versions.filter(({ version }) => version % SNAPSHOT_INTERVAL === 0).map(({ version }) => version)
  await waitFor(async () => String(await snapshotVersions(database, versions.length)) === String(expected), {
    what: `the snapshots ${expected}`,
  })
}

/** The versions of the snapshots that job 1 has up to a version, ascending. */
async function snapshotVersions(database: Database, upTo: number): Promise<number[]> {
  const versions: number[] = []
  for (let version = upTo; ; ) {
    const found = await database.view(jobs).snapshot('1', { version })
    if (found === undefined) return versions
    versions.unshift(found.version)
    version = found.version - 1
  }
}
