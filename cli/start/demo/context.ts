import type { CallContext } from '../../../shared/calls/call-context.ts'
import { newRequestId } from '../../../shared/calls/ids.ts'
import { demoCommitId } from './unfinished.ts'

/** The context of one of the demo's commits, identified by its name. */
export function demoContext(name: string): CallContext {
  const commitId = demoCommitId(name)
  // The hash is what lets an earlier commit of this id be found before another id or number is taken.
  return { actor: 'demo', requestId: newRequestId(), commitId, requestHash: commitId }
}
