import { logStatus } from '../../shared/event-sourcing/lag.ts'
import { relayOf } from '../../shared/runtime/settings/topic-names.ts'
import { PART_NAMES, type PartName, type Parts, type ProcessStatus, viewsOf } from './parts.ts'

interface RelayStatus {
  /** Whether a process holds the lease to publish. */
  readonly isAtWork: boolean
  /** Events of the log that are not published yet. */
  readonly behind: number
}

/** The status of a Mint. What can't be known is null. */
export interface Status {
  /** The running ones; [] if there are none. */
  readonly processes: readonly ProcessStatus[] | null
  readonly logs: readonly {
    readonly part: PartName
    /** The position of the last event. */
    readonly position: number
    /** Whether it holds only part of an import. */
    readonly isImportUnfinished: boolean
    /** The views folded from it; `behind`: events past the view's checkpoint. */
    readonly views: readonly { readonly view: string; readonly behind: number }[]
  }[]
  /** Of the businesses' log. */
  readonly relay: RelayStatus
  /** Of the contracts' log; null where it is not published. */
  readonly contractsRelay: RelayStatus | null
  /** Messages that the contracts service has not handled yet; also null if there is no topic between processes. */
  readonly unhandledMessages: number | null
  /** Settings that let the topic of businesses lose messages; null like the above. */
  readonly topicProblems: readonly string[] | null
  /** The same for the topic of contracts, the closing and the firm. */
  readonly contractsTopicProblems: readonly string[] | null
  readonly deadLetters: number
}

/** The status of the Mint with this data. */
export async function* status(parts: Parts, _input: object): AsyncGenerator<Status> {
  const logs = await Promise.all(PART_NAMES.map((part) => statusOfPart(parts, part)))
  const { businesses, contracts, process, relayRuns } = parts
  const published = await businesses.checkpoints.read(relayOf('businesses'))
  yield {
    processes: process ? [process] : [],
    logs,
    relay: { isAtWork: relayRuns, behind: behind(logs.find(({ part }) => part === 'businesses')?.position, published) },
    contractsRelay: null,
    unhandledMessages: null,
    topicProblems: null,
    contractsTopicProblems: null,
    deadLetters: await contracts.deadLetters.count(),
  }
}

async function statusOfPart(parts: Parts, part: PartName) {
  const { position, views } = await logStatus(parts[part], viewsOf[part], Date.now())
  const behindBy = views.map(({ name, lagEvents }) => ({ view: name, behind: lagEvents }))
  return { part, position, isImportUnfinished: false, views: behindBy }
}

/** Positions count events. */
export const behind = (head: number | undefined, reached: number | undefined): number =>
  Math.max(0, (head ?? 0) - (reached ?? 0))
