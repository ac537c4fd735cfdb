import { businessesView } from '../../../services/businesses/business/view.ts'
import type { Inspection } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import { PART_NAMES, type PartName, sequencesOf, viewsOf } from '../parts.ts'
import { item, type Message, progress, type Running } from '../running.ts'
import { createFindings, type Difference, type Findings } from './difference.ts'
import { createFirstLook } from './first-look.ts'
import { createMintRules, type MintRules } from './rules.ts'
import { lookAgain } from './second-look.ts'
import { createStreamStates } from './stream-states.ts'
import { wholeLog } from './whole-log.ts'

export type VerifyItem = ({ readonly type: 'difference' } & Difference) | VerifySummary

export interface VerifySummary {
  readonly type: 'summary'
  readonly events: number
  readonly streams: number
  readonly differences: number
}

export type Inspections = Readonly<Record<PartName, Inspection>>

/** Rows' ids read in one step. */
const STEP = 10_000

/**
 * Folds every log anew and holds positions, versions, times, totals, commit ids, clients, sequences and views against
 * it, while others write. Each difference is an item; the last item is the summary.
 */
export async function* verify(inspections: Inspections): Running<VerifyItem> {
  const rules = createMintRules()
  let [events, streams, differences] = [0, 0, 0]
  for (const part of PART_NAMES) {
    const verified = yield* verifyPart(part, inspections[part], rules)
    const findings = verified.findings
    if (part === 'contracts') await checkClients(inspections.businesses, rules, findings)
    for (const difference of findings.found) yield item({ type: 'difference' as const, ...difference })
    differences += findings.found.length
    events += verified.events
    streams += verified.streams
  }
  yield item({ type: 'summary', events, streams, differences })
}

interface VerifiedPart {
  readonly findings: Findings
  readonly events: number
  readonly streams: number
}

async function* verifyPart(
  part: PartName,
  inspection: Inspection,
  { rules }: MintRules,
): AsyncGenerator<Message<never>, VerifiedPart> {
  const views = viewsOf[part]
  const options = { inspection, views, rules, findings: createFindings(part) }
  const look = createFirstLook(options)
  const head = await inspection.head()
  for await (const commits of wholeLog(inspection)) {
    await look.take(commits)
    yield progress(`checking ${part}`, Math.min(look.events, head), head)
  }
  for (const view of views) {
    if (await look.accountsForAll(view)) continue
    for await (const ids of allIds(inspection, view)) look.takeRows(view, ids)
  }
  await lookAgain(options, await look.suspects())
  await checkSequences(part, inspection, look.highestNumbers, options.findings)
  return { findings: options.findings, events: look.events, streams: look.streams }
}

async function* allIds(inspection: Inspection, view: AnyViewDefinition): AsyncGenerator<readonly string[]> {
  for (let after: string | undefined; ; ) {
    const ids = await inspection.rowIds(view, after, STEP)
    after = ids.at(-1)
    if (after === undefined) return
    yield ids
  }
}

/** A number that was used and that the sequence has not come to would be handed out again. */
async function checkSequences(
  part: PartName,
  inspection: Inspection,
  used: ReadonlyMap<string, number>,
  findings: Findings,
): Promise<void> {
  for (const category of sequencesOf[part]) {
    const [last, highest] = [await inspection.lastNumber(category), used.get(category) ?? 0]
    if (last >= highest) continue
    findings.add('sequence', `sequence ${category}`, `it has come to ${last}, but ${category} ${highest} is in the log`)
  }
}

/** A business may have been created, and its client heard of, while the log was gone through. */
async function checkClients(businesses: Inspection, mint: MintRules, findings: Findings): Promise<void> {
  if (mint.unknownClients().length > 0) {
    const states = createStreamStates(businessesView, mint.rules.business, createFindings('businesses'))
    for await (const commits of wholeLog(businesses)) {
      for (const commit of commits) if (commit.stream.category === businessesView.category) states.take(commit)
    }
  }
  for (const { clientId, businessId } of mint.unknownClients()) {
    findings.add('client', `client ${clientId}`, `there is no business ${businessId} with this clientId`)
  }
}
