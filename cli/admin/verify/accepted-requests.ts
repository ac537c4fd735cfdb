import { readAcceptedRequest } from '../../../shared/event-sourcing/accepted-request.ts'
import type { RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { Findings } from './difference.ts'
import type { SeenStreams } from './seen-streams.ts'

/** A request that changed nothing is alone on its stream, and the record that it was for came before it in the log. */
export function checkAcceptedRequest(commit: RecordedCommit, seen: SeenStreams, findings: Findings): void {
  const { stream, version, commitId, events } = commit
  const where = `${stream.category} ${stream.id}`
  if (version !== 1 || stream.id !== commitId) {
    findings.add('version', where, `expected version 1 in commit ${stream.id}, found version ${version} in ${commitId}`)
  }
  for (const event of events) {
    try {
      const { stream: record } = readAcceptedRequest(event)
      if (seen.has(record)) continue
      findings.add(
        'unreadable',
        where,
        `it is about ${record.category} ${record.id}, which the log does not have before`,
      )
    } catch (error) {
      findings.add('unreadable', where, String(error))
    }
  }
}
