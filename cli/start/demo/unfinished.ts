import { commitIdOfKey } from '../../../shared/calls/ids.ts'
import type { DataFolder } from '../data-folder.ts'

/** The id of a commit of the demo: made again, it is found in the log, so that an interrupted demo can be completed. */
export const demoCommitId = (name: string): string => commitIdOfKey('demo', name)

/** The name of the first commit. */
const FIRST = 'business 1'

/** The name of the last commit. */
export const LAST = 'the last edit'

/** Whether the log has the beginning of the demo and not its end. */
export async function isDemoUnfinished({ businesses }: Pick<DataFolder, 'businesses'>): Promise<boolean> {
  const [first, last] = await Promise.all([FIRST, LAST].map((name) => businesses.events.findCommit(demoCommitId(name))))
  return first !== undefined && last === undefined
}
