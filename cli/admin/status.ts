import { publishedBusinesses } from '../../services/businesses/published-events.ts'
import { PART_NAMES, type PartName, type Parts, type ProcessStatus, viewsOf } from './parts.ts'

/** How a Mint is. What can't be known is null. */
export interface Status {
  /** Those that run; [] where none does. */
  readonly processes: readonly ProcessStatus[] | null
  readonly logs: readonly {
    readonly part: PartName
    /** The position of the last event. */
    readonly position: number
    /** Whether it holds only a part of an import. */
    readonly isImportUnfinished: boolean
    /** What is folded from it; `behind`: events that the view's checkpoint has not passed. */
    readonly views: readonly { readonly view: string; readonly behind: number }[]
  }[]
  readonly relay: {
    /** Whether a process has the lease to publish. */
    readonly isAtWork: boolean
    /** Events of the businesses' log that were not published yet. */
    readonly behind: number
  }
  /** Messages that the contracts service has not handled yet; null also where there is no topic between processes. */
  readonly unhandledMessages: number | null
  readonly deadLetters: number
}

/** How the Mint is whose data these are. */
export async function* status(parts: Parts, _input: object): AsyncGenerator<Status> {
  const logs = await Promise.all(PART_NAMES.map((part) => logStatus(parts, part)))
  const { businesses, contracts, process, relayRuns } = parts
  const published = await businesses.checkpoints.read(publishedBusinesses.name)
  yield {
    processes: process ? [process] : [],
    logs,
    relay: { isAtWork: relayRuns, behind: behind(logs.find(({ part }) => part === 'businesses')?.position, published) },
    unhandledMessages: null,
    deadLetters: await contracts.deadLetters.count(),
  }
}

async function logStatus(parts: Parts, part: PartName) {
  // Views first: a checkpoint that is read after the head may be ahead of it.
  const reached = await Promise.all(viewsOf[part].map((view) => parts[part].view(view).checkpoint()))
  const position = await parts[part].inspection.head()
  const views = viewsOf[part].map(({ name }, index) => ({ view: name, behind: behind(position, reached[index]) }))
  return { part, position, isImportUnfinished: false, views }
}

/** Positions count events. */
export const behind = (head: number | undefined, reached: number | undefined): number =>
  Math.max(0, (head ?? 0) - (reached ?? 0))
