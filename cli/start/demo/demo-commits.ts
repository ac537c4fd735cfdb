import type { CallContext } from '../../../shared/calls/call-context.ts'
import { commitIdOfKey, newRequestId } from '../../../shared/calls/ids.ts'
import type { DataFolder } from '../data-folder.ts'

/** The id of one of the demo's commits. It is found in the log again, so an interrupted demo can be completed. */
export const demoCommitId = (name: string): string => commitIdOfKey('demo', name)

/** The names of the demo's first commit and of its last one. */
const FIRST = 'business 1'
export const LAST = 'the last edit'

/** Whether the log has the beginning of the demo and not its end. */
export async function isDemoUnfinished({ businesses }: Pick<DataFolder, 'businesses'>): Promise<boolean> {
  const [first, last] = await Promise.all([FIRST, LAST].map((name) => businesses.events.findCommit(demoCommitId(name))))
  return first !== undefined && last === undefined
}

/** Throws a one-line Error if a demo was interrupted, so that nobody mistakes a part of it for the whole. */
export async function checkDemoIsWhole(folder: string, data: Pick<DataFolder, 'businesses'>): Promise<void> {
  if (!(await isDemoUnfinished(data))) return
  throw new Error(
    `DATA_DIR=${folder} holds a demo that was interrupted: complete it with \`npm start -- --demo\`, ` +
      'or remove the folder to start empty.',
  )
}

/** The context of one of the demo's commits, identified by its name. */
export function demoContext(name: string): CallContext {
  const commitId = demoCommitId(name)
  // With the hash, an earlier commit of this id is found before another id or number is assigned.
  return { actor: 'demo', requestId: newRequestId(), commitId, requestHash: commitId }
}
