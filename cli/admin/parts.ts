import { businessesViews } from '../../services/businesses/service.ts'
import { contractsViews } from '../../services/contracts/service.ts'
import { apiKeyViews } from '../../shared/api-keys/view.ts'
import type { Position } from '../../shared/event-sourcing/event.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { TopicPublisher } from '../../shared/event-sourcing/ports/topic.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'

/** The databases of a Mint, in the order in which they are gone through. */
export const PART_NAMES = ['businesses', 'contracts', 'gateway'] as const
export type PartName = (typeof PART_NAMES)[number]

/** What each of them is opened with. */
export const viewsOf: Readonly<Record<PartName, readonly AnyViewDefinition[]>> = {
  businesses: businessesViews,
  contracts: contractsViews,
  gateway: apiKeyViews,
}

/** Whose numbers come from a sequence. */
export const sequencesOf = { businesses: [], contracts: ['contract'], gateway: [] } as const

/** A process of Mint that runs. */
export interface ProcessStatus {
  /** `mint` where all is in one process; else the part: `contracts`, `businesses`, `gateway`. */
  readonly name: string
  /** null, like `at`: unknown. */
  readonly version: string | null
  /** Its host and process id, for example `mercury/4711`. */
  readonly at: string | null
  /** Where it listens, by what for. */
  readonly addresses?: Readonly<Record<string, string>>
}

/** What operations work on: a Mint's databases, opened with their views, and the topic of businesses. */
export interface Parts extends Readonly<Record<PartName, Database>> {
  readonly publisher: TopicPublisher
  /** Whether a relay is thought to be at work. */
  readonly relayRuns: boolean
  /** Up to which position of the businesses' log every event has come to Clients; absent where nobody can tell. */
  delivered?(): Promise<Position>
  /** The one process that runs on these data, where it is known. */
  readonly process?: ProcessStatus
}

/** What every part was opened as, and how to close all of them. */
export type OpenParts<Opened = Database> = Readonly<Record<PartName, Opened>> & { close(): Promise<void> }

/** Opens them side by side; where one can't be opened, the others are closed again. */
export async function openParts<Opened extends { close(): Promise<void> }>(
  open: (part: PartName) => Promise<Opened>,
): Promise<OpenParts<Awaited<Opened>>> {
  const opening = [open('businesses'), open('contracts'), open('gateway')] as const
  const close = async (): Promise<void> => {
    const opened = await Promise.allSettled(opening)
    await Promise.all(opened.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)))
  }
  try {
    const [businesses, contracts, gateway] = await Promise.all(opening)
    return { businesses, contracts, gateway, close }
  } catch (error) {
    await close()
    throw error
  }
}
