import { isDeepStrictEqual } from 'node:util'
import type { Business } from '../../../services/businesses/business/evolve.ts'
import { businessesView } from '../../../services/businesses/business/view.ts'
import { clientOf } from '../../../services/contracts/client/decide.ts'
import type { Client, FollowedClient } from '../../../services/contracts/client/evolve.ts'
import { clientsView } from '../../../services/contracts/client/view.ts'
import type { LogEvent, Position } from '../../../shared/event-sourcing/event.ts'
import type { Inspection, RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import {
  createVersionFingerprints,
  type StoredVersion,
  slotOf,
} from '../../../shared/event-sourcing/version-fingerprints.ts'
import { foldChecked, type Rule } from './checked-fold.ts'
import { createFindings, type Findings } from './findings.ts'
import { eventsOf } from './log-check.ts'
import { wholeLog } from './whole-log.ts'

export interface ClientSources {
  readonly businesses: Inspection
  readonly contracts: Inspection
  /** Up to which position the contracts' log is checked: what was delivered by then is in the log of businesses now. */
  readonly pinned: Position
  /** The position of the businesses' log up to which every event has reached Clients; BEGINNING if unknown. */
  readonly delivered: Position
}

const REMEDY = 'cli/mint relay replay repairs it'

/** Checks every version of Clients against their businesses, first by fingerprints from one pass over both logs. */
export function createClientCheck() {
  const [ofBusinesses, ofClients] = [createVersionFingerprints('labels'), createVersionFingerprints('labels')]
  return {
    /** Call it for each version of each record. */
    onVersion({ view, state, version }: ViewRow): void {
      if (view === businessesView.name) ofBusinesses.add(stored(clientAt(state as Business, version)))
      if (view === clientsView.name) ofClients.add(stored(recordedIn(state as FollowedClient)))
    },
    /** Reports Clients that differ from their businesses, after checking again those whose fingerprints differ. */
    async finish(sources: ClientSources, findings: Findings): Promise<void> {
      const slots = ofBusinesses.differingFrom(ofClients)
      if (slots.size === 0) return
      const wrong = await findWrong(sources, (clientId) => slots.has(slotOf(clientId)))
      for (const [clientId, message] of wrong) findings.add('client', `client ${clientId}`, message)
    },
  }
}

const clientAt = (business: Business, version: number): Client => clientOf({ ...business, version })
const recordedIn = ({ recorded, ...client }: FollowedClient): Client => ({ ...client, ...recorded })

function stored({ clientId, businessId, displayName, sourceVersion, createdAt, updatedAt }: Client): StoredVersion {
  return { id: clientId, version: sourceVersion, values: [businessId, displayName, createdAt, updatedAt] }
}

/** A Client, and the versions of its business that it records, since it was registered for the last time. */
interface Recorded {
  readonly client: FollowedClient
  readonly versions: Map<number, StoredVersion>
}

/** What is wrong, by clientId. */
async function findWrong(sources: ClientSources, isDoubtful: (clientId: string) => boolean) {
  const recorded = await recordedClients(sources, isDoubtful)
  /** The last delivered version of each business. */
  const due = new Map<string, number>()
  const rule: Rule = (business: Business, { version, position }: LogEvent) => {
    const { clientId } = business
    if (position <= sources.delivered && isDoubtful(clientId)) due.set(clientId, version)
    const versions = recorded.get(clientId)?.versions
    // What is left in the end is not what the business was.
    if (isDeepStrictEqual(versions?.get(version), stored(clientAt(business, version)))) versions?.delete(version)
    return undefined
  }
  const last = await sources.businesses.head()
  const log = wholeLog(sources.businesses, { last })
  await fold(log, { view: businessesView, rule }, ({ state }) => isDoubtful((state as Business).clientId))
  const wrong = new Map<string, string>()
  for (const [clientId, version] of due) {
    const at = recorded.get(clientId)?.client.sourceVersion
    if (at === undefined) wrong.set(clientId, `it is missing: ${REMEDY}`)
    else if (at < version) wrong.set(clientId, `it is at version ${at} of its business, not at ${version}: ${REMEDY}`)
  }
  for (const [clientId, one] of recorded) {
    const message = wrongIn(one)
    if (message !== undefined) wrong.set(clientId, message)
  }
  return wrong
}

/** What is wrong with a Client, of which only the versions that its business never had are left. */
function wrongIn({ client, versions }: Recorded): string | undefined {
  const { businessId, sourceVersion, missing } = client
  const [version] = versions.keys()
  if (version !== undefined) {
    const claimed = `no business ${businessId} with this clientId was like this at version ${version}`
    return version === sourceVersion ? `${claimed}: ${REMEDY}, if the business exists` : claimed
  }
  if (missing.length === 0) return undefined
  const ranges = missing.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`))
  return `its names at versions ${ranges.join(', ')} of its business are missing: cli/mint relay replay completes them`
}

async function recordedClients({ contracts, pinned }: ClientSources, isDoubtful: (clientId: string) => boolean) {
  const recorded = new Map<string, Recorded>()
  function onVersion({ id, state }: ViewRow): void {
    const client = state as FollowedClient
    if (!isDoubtful(id)) return
    const before = recorded.get(id)
    const isSame = before?.client.registrations === client.registrations
    const versions = isSame ? before.versions : new Map<number, StoredVersion>()
    recorded.set(id, { client, versions: versions.set(client.recorded.sourceVersion, stored(recordedIn(client))) })
  }
  const log = wholeLog(contracts, { last: pinned })
  await fold(log, { view: clientsView, onVersion }, ({ id }) => isDoubtful(id))
  return recorded
}

interface Folding {
  readonly view: AnyViewDefinition
  readonly rule?: Rule
  readonly onVersion?: (row: ViewRow) => void
}

/** Folds one view's streams from a log, those that are wanted judging by their first event. */
async function fold(
  log: AsyncIterable<readonly RecordedCommit[]>,
  { view, ...checks }: Folding,
  isWanted: (row: ViewRow) => boolean,
): Promise<void> {
  // What is wrong with the log itself is found elsewhere.
  const { fold } = foldChecked({ ...checks, findings: createFindings() })
  const rows = new Map<string, ViewRow>()
  for await (const commits of log) {
    for (const commit of commits) {
      const { stream, version } = commit
      if (stream.category !== view.category || (version > 1 && !rows.has(stream.id))) continue
      for (const row of fold(
        view,
        eventsOf(commit),
        (id) => rows.get(id),
        () => undefined,
      )) {
        if (version > 1 || isWanted(row)) rows.set(row.id, row)
      }
    }
  }
}
