import { businessesViews } from '../../services/businesses/service.ts'
import { contractsViews } from '../../services/contracts/service.ts'
import { newRequestId } from '../../shared/calls/ids.ts'
import { type CommandContext, toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import type { Position } from '../../shared/event-sourcing/event.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { SERVICE_PARTS, type ServicePart } from '../../shared/kinds/kind.ts'
import type { Sealing } from '../../shared/webhooks/secret.ts'
import { gatewayViews } from '../../shared/webhooks/view.ts'

export type PartName = ServicePart | 'gateway'

/** The databases of a Mint, in the order in which operations process them. */
export const PART_NAMES: readonly PartName[] = [...SERVICE_PARTS, 'gateway']

/** The databases, each before the one that it was derived from, which is then never read as of an earlier moment. */
export const DERIVED_FIRST: readonly PartName[] = [...SERVICE_PARTS.toReversed(), 'gateway']

/** The views that each database is opened with. */
export const viewsOf: Readonly<Record<PartName, readonly AnyViewDefinition[]>> = {
  businesses: businessesViews,
  contracts: contractsViews,
  gateway: gatewayViews,
}

/** The categories of a part whose records have numbers, which come from a sequence. */
export const sequencesOf = (part: PartName): readonly string[] =>
  viewsOf[part].filter(({ idOrder }) => idOrder === 'numeric').map(({ category }) => category)

/** A running process of Mint. */
export interface ProcessStatus {
  /** `mint` if everything is in one process; otherwise the part: `contracts`, `businesses`, `gateway`. */
  readonly name: string
  /** null, like `at`: unknown. */
  readonly version: string | null
  /** Its host and process id, for example `mercury/4711`. */
  readonly at: string | null
  /** Where it listens, by purpose. */
  readonly addresses?: Readonly<Record<string, string>>
}

/** What operations work on: a Mint's databases, opened with their views. */
export interface Parts extends Readonly<Record<PartName, Database>> {
  /** Seals the secrets of webhooks. Throws where there is no key. */
  readonly sealing: () => Sealing
  /** Whether webhooks may use http. */
  readonly webhooksByHttp: boolean
  /** Whether relays are assumed to be running. */
  readonly relayRuns: boolean
  /** The services whose logs are published. */
  readonly relays: readonly ServicePart[]
  /** The position of the businesses' log up to which every event has reached Clients; absent if it can't be known. */
  delivered?(): Promise<Position>
  /** The process that runs on this data, if known. */
  readonly process?: ProcessStatus
}

/** The context of what commands write. */
export const cliContext = (): CommandContext => toCommandContext({ actor: 'cli', requestId: newRequestId() })

/** All parts, open, and how to close them. */
export type OpenParts<Opened = Database> = Readonly<Record<PartName, Opened>> & { close(): Promise<void> }

/** Opens all parts concurrently; if one can't be opened, closes the others. */
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
