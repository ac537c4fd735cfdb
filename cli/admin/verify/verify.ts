import { businessesView } from '../../../services/businesses/business/view.ts'
import type { Inspection } from '../../../shared/event-sourcing/ports/inspection.ts'
import { PART_NAMES, type PartName, sequencesOf, viewsOf } from '../parts.ts'
import type { Report } from '../report.ts'
import { createFindings, type Difference } from './findings.ts'
import { type FirstLook, lookOnce, type VerifyOptions, wholeLog } from './first-look.ts'
import { foldStreams } from './folded-streams.ts'
import { createMintRules } from './rules.ts'
import { lookAgain } from './second-look.ts'

export type VerifyItem =
  | ({ readonly type: 'difference' } & Difference)
  | { readonly type: 'summary'; readonly events: number; readonly streams: number; readonly differences: number }

/** Of each part, what it is read by. */
type Inspected = Readonly<Record<PartName, { readonly inspection: Inspection }>>

/**
 * Folds every log anew and checks positions, versions, times, totals, commit ids, clients, sequences and views against
 * it, while others write. Each difference is an item; the last item is the summary.
 */
export async function* verify(parts: Inspected, _input: object, report: Report): AsyncGenerator<VerifyItem> {
  const { rules, unknownClients } = createMintRules()
  let [events, streams, differences] = [0, 0, 0]
  for (const part of PART_NAMES) {
    const findings = createFindings(part)
    const { inspection } = parts[part]
    const look = await verifyPart(part, { inspection, views: viewsOf[part], rules, findings }, report)
    if (part === 'contracts') {
      // A business may have been created, and its client heard of, while the log was gone through.
      if (unknownClients.size > 0) await meetBusinesses(parts.businesses.inspection, rules.business)
      for (const { clientId, businessId } of unknownClients.values()) {
        findings.add('client', `client ${clientId}`, `there is no business ${businessId} with this clientId`)
      }
    }
    for (const difference of findings.found.values()) yield { type: 'difference' as const, ...difference }
    differences += findings.found.size
    events += look.events
    for (const { count } of look.views.values()) streams += count
  }
  yield { type: 'summary', events, streams, differences }
}

async function verifyPart(part: PartName, options: VerifyOptions, report: Report): Promise<FirstLook> {
  const { inspection, findings } = options
  const head = await inspection.head()
  const look = await lookOnce(options, (events) => report(`checking ${part}`, Math.min(events, head), head))
  await lookAgain(options, look)
  // A number that was used and that the sequence has not come to would be handed out again.
  for (const category of sequencesOf[part]) {
    const [last, highest] = [await inspection.lastNumber(category), look.views.get(category)?.highest ?? 0]
    if (last >= highest) continue
    const message = `it has come to ${last}, but ${category} ${highest} is in the log`
    findings.add('sequence', `sequence ${category}`, message)
  }
  return look
}

async function meetBusinesses(inspection: Inspection, rule: ReturnType<typeof createMintRules>['rules']['business']) {
  const { take } = foldStreams(businessesView, rule, createFindings('businesses'))
  for await (const commits of wholeLog(inspection)) {
    for (const commit of commits) if (commit.stream.category === businessesView.category) take(commit)
  }
}
