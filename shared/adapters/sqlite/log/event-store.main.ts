import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Commit, EventStore } from '../../../event-sourcing/ports/event-store.ts'
import { leavesSnapshot } from '../../../event-sourcing/snapshots.ts'
import { reading } from '../file/failures.ts'
import type { OpenFile } from '../file/open-file.main.ts'
import { encodeVersion } from '../sums/encoded-version.ts'
import { encodeRow } from '../views/view-shape.ts'
import { OutcomeUnknown } from '../writing/pending-operations.main.ts'
import { type AppendOperation, encodeCommit, type ViewChange } from '../writing/write-operations.ts'
import { countIn, eventsAfter, eventsOf, findReceipt, headOf, toAuthoredEvent, versionOf } from './log-reads.ts'

/** The log. Reads use the main thread's connection; a commit shares a transaction with its rows. */
export function createEventStore({ writer, statements, reader, views }: OpenFile): EventStore {
  return {
    async append(commit) {
      while (writer.appendsHeld()) await writer.appendsHeld()
      const operation = toOperation(views, commit)
      for (const { view, id } of commit.rows) views.get(view)?.recent.beginWrite(id)
      try {
        return await writer.append(operation)
      } catch (error) {
        if (error instanceof OutcomeUnknown) return { type: 'unknown', cause: error }
        throw error
      } finally {
        for (const { view, id } of commit.rows) views.get(view)?.recent.endWrite(id)
      }
    },
    settled: writer.settled,
    readStream: async (stream, range = {}) => reading(() => eventsOf(statements, stream, range)),
    async readAll(after, limit) {
      const events = reading(() => eventsAfter(statements, after, limit))
      // Yields to the event loop, so that readers of the whole log and pollers at its end don't starve other work.
      await nextTurn()
      return events
    },
    async scan(scan) {
      const { rows, ...reached } = await reader.read('scan', scan)
      return { events: rows.map(toAuthoredEvent), ...reached }
    },
    findCommit: async (commitId) => reading(() => findReceipt(statements, commitId)),
    // The only process of a file sees everything that it has acknowledged.
    confirmedVersions: async (streams) => reading(() => streams.map((stream) => versionOf(statements, stream))),
    head: async () => reading(() => headOf(statements)),
    countIn: async (categories, range) => reading(() => countIn(statements, categories, range)),
    onAppended: writer.onAppended,
  }
}

/** Throws an Error when the commit lacks a row for a view of its category: that view would fall behind the log. */
function toOperation(views: OpenFile['views'], commit: Commit): AppendOperation {
  const { stream, commitId, expectedVersion, events } = commit
  if (events.length === 0) throw new Error(`commit ${commitId} has no events`)
  const changes: ViewChange[] = []
  for (const { definition, tables } of views.values()) {
    const { name, category } = definition
    if (category !== stream.category) continue
    const viewRow = commit.rows.find((candidate) => candidate.view === name)
    if (!viewRow) throw new Error(`commit ${commitId} on a ${category} has no row for the view ${name}`)
    const row = encodeRow(definition, viewRow)
    const snapshot = leavesSnapshot(expectedVersion, row.version) ? row : undefined
    // All events of a commit have the same time, so no report can ask for a version between them.
    const version = encodeVersion(definition, viewRow)
    changes.push({ view: name, generation: tables().generation, row, snapshot, version })
  }
  return { kind: 'append', ...encodeCommit(commit, expectedVersion), dependsOn: commit.dependsOn, changes }
}
