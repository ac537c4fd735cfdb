import { type Db, ObjectId } from 'mongodb'
import type { RecordedCommit } from '../../../event-sourcing/ports/inspection.ts'
import type { LogImporter } from '../../../event-sourcing/ports/log-importer.ts'
import { DUPLICATE_KEY, orUnavailable } from '../connection/availability.ts'
import { sequencesOf } from '../sequence.ts'
import { insertCommits, toDocument } from './commit-document.ts'
import type { LogReader } from './log-reader.ts'

/** Fills the database with the commits of another log, one majority insert per call. */
export function createLogImporter(db: Db, reader: LogReader): LogImporter {
  async function writeCommits(commits: readonly RecordedCommit[]): Promise<void> {
    let head: number = await reader.head()
    for (const { position, events } of commits) {
      if (position !== head + 1) throw new Error(`the commit at position ${position} does not follow position ${head}`)
      head += events.length
    }
    if (commits.length === 0) return
    const documents = commits.map((commit) => {
      return { _id: commit.position, ...toDocument({ ...commit, expectedVersion: commit.version - 1 }, new ObjectId()) }
    })
    const { refusal } = await insertCommits(db, documents)
    if (refusal?.code === DUPLICATE_KEY) throw new Error('another process writes to this log: stop every service first')
    if (refusal) throw new Error(refusal.errmsg)
  }

  return {
    writeCommits: (commits) => orUnavailable(writeCommits(commits)),
    async raiseSequence(category, last) {
      await orUnavailable(sequencesOf(db).updateOne({ _id: category }, { $max: { last } }, { upsert: true }))
    },
  }
}
