import { setTimeout as pause } from 'node:timers/promises'
import type { Business } from '../../../services/businesses/business/evolve.ts'
import { businessesView } from '../../../services/businesses/business/view.ts'
import { clientOf } from '../../../services/contracts/client/decide.ts'
import type { Client } from '../../../services/contracts/client/evolve.ts'
import { clientsView } from '../../../services/contracts/client/view.ts'
import { createSeenTexts } from '../../../shared/adapters/sqlite/any-thread/seen-texts.ts'
import type { LogEvent, Position } from '../../../shared/event-sourcing/event.ts'
import type { Inspection } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { createFindings, type Findings } from './findings.ts'
import { wholeLog } from './first-look.ts'
import { type FoldedStreams, foldStreams, type Rule } from './folded-streams.ts'

export interface ClientSources {
  readonly businesses: Inspection
  readonly contracts: Inspection
  /** The position of the businesses' log up to which every event has reached Clients; BEGINNING if unknown. */
  readonly delivered: Position
}

/** How often Clients are checked, and the pause between checks in milliseconds: they lag behind their businesses. */
const CHECKS = 5
const PAUSE = 200

const REMEDY = 'cli/mint relay replay repairs it'

/** Checks Clients against their businesses, first with the rows that one pass over both logs comes across. */
export function createClientCheck() {
  const [asBusinesses, matching] = [createSeenTexts(), createSeenTexts()]
  let count = 0
  return {
    /** Call it for each row that equals the fold of its stream, those of businesses first. */
    settled({ view, state, version }: ViewRow): void {
      if (view === businessesView.name) asBusinesses.add(textOf(clientAt(state as Business, version)))
      if (view !== clientsView.name || !asBusinesses.has(textOf(state as Client))) return
      matching.add((state as Client).clientId)
      count += 1
    },
    /**
     * Reports Clients that differ from their businesses, after checking again those that were not found to match.
     * `streams` says how many businesses and Clients the logs have: if all of them match, nothing is left to check.
     */
    async finish(sources: ClientSources, streams: readonly number[], findings: Findings): Promise<void> {
      if (streams.every((inLog) => inLog === count)) return
      const isDoubtful = (clientId: string): boolean => !matching.has(clientId)
      for (let left = CHECKS; left > 0; left--) {
        const wrong = await findWrong(sources, isDoubtful)
        if (wrong.size === 0) return
        if (left > 1) await pause(PAUSE)
        else for (const [clientId, message] of wrong) findings.add('client', `client ${clientId}`, message)
      }
    },
  }
}

const clientAt = (business: Business, version: number): Client => clientOf({ ...business, version })

function textOf({ clientId, businessId, displayName, sourceVersion, createdAt, updatedAt }: Client): string {
  return JSON.stringify([clientId, businessId, displayName, sourceVersion, createdAt, updatedAt])
}

/** What is wrong, by clientId. */
async function findWrong(sources: ClientSources, isDoubtful: (clientId: string) => boolean) {
  const clients = await fold(
    sources.contracts,
    { view: clientsView, ...foldStreams({ view: clientsView, findings: ignoredFindings() }) },
    ({ id }) => isDoubtful(id),
  )
  const shown = (clientId: string) => clients.get(clientId)?.state as Client | undefined
  /** Clients that match their business at one of its versions, and the last delivered version of each business. */
  const [confirmed, due] = [new Set<string>(), new Map<string, number>()]
  const rule: Rule = (business: Business, { version, position }: LogEvent) => {
    const { clientId } = business
    const client = shown(clientId)
    if (client && textOf(client) === textOf(clientAt(business, version))) confirmed.add(clientId)
    if (position <= sources.delivered && isDoubtful(clientId)) due.set(clientId, version)
    return undefined
  }
  await fold(
    sources.businesses,
    { view: businessesView, ...foldStreams({ view: businessesView, rule, findings: ignoredFindings() }) },
    ({ state }) => isDoubtful((state as Business).clientId),
  )
  const wrong = new Map<string, string>()
  for (const [clientId, version] of due) {
    const at = shown(clientId)?.sourceVersion
    if (at === undefined) wrong.set(clientId, `it is missing: ${REMEDY}`)
    else if (at < version) wrong.set(clientId, `it is at version ${at} of its business, not at ${version}: ${REMEDY}`)
  }
  for (const [clientId, { state }] of clients) {
    const { businessId, sourceVersion } = state as Client
    const claimed = `no business ${businessId} with this clientId was like this at version ${sourceVersion}`
    if (!confirmed.has(clientId)) wrong.set(clientId, `${claimed}: ${REMEDY}, if the business exists`)
  }
  return wrong
}

const ignoredFindings = () => createFindings('contracts')

/** Folds the rows of one view from a log, for the streams that are wanted judging by their first event. */
async function fold(
  inspection: Inspection,
  { view, rows, touched, take }: FoldedStreams & { readonly view: AnyViewDefinition },
  isWanted: (row: ViewRow) => boolean,
): Promise<ReadonlyMap<string, ViewRow>> {
  for await (const commits of wholeLog(inspection)) {
    for (const commit of commits) {
      const { stream, version } = commit
      if (stream.category !== view.category || (version > 1 && !rows.has(stream.id))) continue
      take(commit)
      const row = rows.get(stream.id)
      if (version === 1 && row && !isWanted(row)) rows.delete(stream.id)
    }
    touched.clear()
  }
  return rows
}
