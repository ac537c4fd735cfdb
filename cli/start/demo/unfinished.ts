import { commitIdOfKey } from '../../../shared/calls/ids.ts'
import type { DataFolder } from '../data-folder.ts'

/** The id of a commit of the demo: made again, it is found in the log, so that an interrupted demo can be completed. */
export const demoCommitId = (name: string): string => commitIdOfKey('demo', name)

/** The names of the demo's first commit and of its last one. */
const FIRST = 'business 1'
export const LAST = 'the last edit'

/** Whether the log has the beginning of the demo and not its end. */
export async function isDemoUnfinished({ businesses }: Pick<DataFolder, 'businesses'>): Promise<boolean> {
  const [first, last] = await Promise.all([FIRST, LAST].map((name) => businesses.events.findCommit(demoCommitId(name))))
  return first !== undefined && last === undefined
}

/** Throws a one-line Error when a demo was interrupted, so that nobody mistakes a part of it for the whole. */
export async function checkDemoIsWhole(folder: string, data: Pick<DataFolder, 'businesses'>): Promise<void> {
  if (!(await isDemoUnfinished(data))) return
  throw new Error(
    `DATA_DIR=${folder} holds a demo that was interrupted: complete it with \`npm start -- --demo\`, ` +
      'or remove the folder to start empty.',
  )
}
