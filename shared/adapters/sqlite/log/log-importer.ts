import type { RecordedCommit } from '../../../event-sourcing/inspection.ts'
import type { LogImporter } from '../../../event-sourcing/log-importer.ts'
import type { Sequences } from '../sequence.ts'
import type { ImportedCommit } from '../writing/write-operations.ts'
import type { Writer } from '../writing/writer.ts'

/** Fills the file with the commits of another log, each call in one transaction. */
export function createLogImporter(writer: Writer, sequences: Sequences): LogImporter {
  return {
    async writeCommits(commits) {
      await writer.write({ kind: 'import', commits: commits.map(encode) })
    },
    async raiseSequence(category, last) {
      sequences.raise(category, last)
      // Numbers become durable with the next batch, whatever is in it.
      await writer.write({ kind: 'import', commits: [] })
    },
  }
}

function encode({ position, stream, version, commitId, events, metadata }: RecordedCommit): ImportedCommit {
  return {
    position,
    commitId,
    category: stream.category,
    streamId: stream.id,
    expectedVersion: version - 1,
    at: metadata.at,
    by: metadata.by,
    requestId: metadata.requestId,
    requestHash: metadata.requestHash ?? null,
    events: events.map(({ type, data }) => [type, JSON.stringify(data)] as const),
  }
}
