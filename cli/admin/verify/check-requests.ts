import {
  ACCEPTED_REQUEST,
  commitIdAfter,
  REFUSED_REQUEST,
  readAcceptedRequest,
} from '../../../shared/event-sourcing/accepted-request.ts'
import type { StreamName } from '../../../shared/event-sourcing/event.ts'
import type { RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { Findings } from './findings.ts'

type CheckRequest = (commit: RecordedCommit, isThere: (record: StreamName) => boolean, findings: Findings) => void

/** By category: streams that record what requests were answered with. No view is folded from them. */
export const checksOfRequests: Readonly<Record<string, CheckRequest>> = {
  [ACCEPTED_REQUEST]: checkAcceptedRequest,
  [REFUSED_REQUEST]: checkRefusedRequest,
}

/** A request that changed nothing must be alone on its stream, and its record must precede it in the log. */
function checkAcceptedRequest(...[commit, isThere, findings]: Parameters<CheckRequest>): void {
  const { stream, version, commitId, events } = commit
  const where = `${stream.category} ${stream.id}`
  if (version !== 1 || stream.id !== commitId) {
    const found = `found version ${version} in ${commitId}`
    findings.add('version', where, `expected version 1 in commit ${stream.id}, ${found}`)
  }
  for (const event of events) {
    try {
      const { stream: record } = readAcceptedRequest(event)
      if (isThere(record)) continue
      const message = `it is about ${record.category} ${record.id}, which does not precede it in the log`
      findings.add('unreadable', where, message)
    } catch (error) {
      findings.add('unreadable', where, String(error))
    }
  }
}

/** Each refusal must have the commitId that attempts before it had, or one of them could still be carried out. */
function checkRefusedRequest({ stream, version, commitId }: RecordedCommit, _: unknown, findings: Findings): void {
  const expected = commitIdAfter(stream.id, version - 1)
  if (commitId === expected) return
  const message = `expected version ${version} in commit ${expected}, found it in ${commitId}`
  findings.add('version', `${stream.category} ${stream.id}`, message)
}
