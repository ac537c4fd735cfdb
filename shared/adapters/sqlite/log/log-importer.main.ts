import type { LogImporter } from '../../../event-sourcing/ports/log-importer.ts'
import type { SequenceNumbers } from '../sequence.main.ts'
import { encodeCommit, NO_OP } from '../writing/write-operations.ts'
import type { Writer } from '../writing/writer.main.ts'

/** Fills the file with the commits of another log, one transaction per call. */
export function createLogImporter(writer: Writer, sequences: SequenceNumbers): LogImporter {
  return {
    async writeCommits(commits) {
      const encoded = commits.map((commit) => {
        return { position: commit.position, events: encodeCommit(commit, commit.version - 1).events }
      })
      await writer.write({ kind: 'import', commits: encoded })
    },
    async raiseSequence(category, last) {
      sequences.set(category, Math.max(last, sequences.get(category) ?? 0))
      // The writer stores the last numbers with every batch.
      await writer.write(NO_OP)
    },
  }
}
