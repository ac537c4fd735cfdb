import { businessesView } from '../../../services/businesses/business/view.ts'
import type { Inspection } from '../../../shared/event-sourcing/ports/inspection.ts'
import { PART_NAMES, type PartName, sequencesOf, viewsOf } from '../parts.ts'
import type { Report } from '../report.ts'
import { createFindings, type Difference, type Findings } from './difference.ts'
import { createFirstLook, type FirstLook, type VerifyOptions } from './first-look.ts'
import { foldStreams } from './folded-streams.ts'
import { createMintRules, type MintRules } from './rules.ts'
import { lookAgain, wholeLog } from './second-look.ts'

export type VerifyItem = ({ readonly type: 'difference' } & Difference) | VerifySummary

export interface VerifySummary {
  readonly type: 'summary'
  readonly events: number
  readonly streams: number
  readonly differences: number
}

/** Of each part, what it is read by. */
export type Inspected = Readonly<Record<PartName, { readonly inspection: Inspection }>>

/**
 * Folds every log anew and checks positions, versions, times, totals, commit ids, clients, sequences and views against
 * it, while others write. Each difference is an item; the last item is the summary.
 */
export async function* verify(parts: Inspected, _input: object, report: Report): AsyncGenerator<VerifyItem> {
  const rules = createMintRules()
  let [events, streams, differences] = [0, 0, 0]
  for (const part of PART_NAMES) {
    const findings = createFindings(part)
    const look = await verifyPart(
      part,
      { inspection: parts[part].inspection, views: viewsOf[part], rules: rules.rules, findings },
      report,
    )
    if (part === 'contracts') await checkClients(parts.businesses.inspection, rules, findings)
    for (const difference of findings.found.values()) yield { type: 'difference' as const, ...difference }
    differences += findings.found.size
    events += look.events
    for (const count of look.counts.values()) streams += count
  }
  yield { type: 'summary', events, streams, differences }
}

async function verifyPart(part: PartName, options: VerifyOptions, report: Report): Promise<FirstLook> {
  const { inspection, findings } = options
  const look = createFirstLook(options)
  const head = await inspection.head()
  for await (const commits of wholeLog(inspection)) {
    await look.take(commits)
    report(`checking ${part}`, Math.min(look.events, head), head)
  }
  await look.end()
  await lookAgain(options, look)
  // A number that was used and that the sequence has not come to would be handed out again.
  for (const category of sequencesOf[part]) {
    const [last, highest] = [await inspection.lastNumber(category), look.highestNumbers.get(category) ?? 0]
    if (last >= highest) continue
    const message = `it has come to ${last}, but ${category} ${highest} is in the log`
    findings.add('sequence', `sequence ${category}`, message)
  }
  return look
}

/** A business may have been created, and its client heard of, while the log was gone through. */
async function checkClients(businesses: Inspection, mint: MintRules, findings: Findings): Promise<void> {
  if (mint.unknownClients().length > 0) {
    const states = foldStreams(businessesView, mint.rules.business, createFindings('businesses'))
    for await (const commits of wholeLog(businesses)) {
      for (const commit of commits) if (commit.stream.category === businessesView.category) states.take(commit)
    }
  }
  for (const { clientId, businessId } of mint.unknownClients()) {
    findings.add('client', `client ${clientId}`, `there is no business ${businessId} with this clientId`)
  }
}
