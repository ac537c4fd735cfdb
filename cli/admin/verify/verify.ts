import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { Inspection } from '../../../shared/event-sourcing/ports/inspection.ts'
import { PART_NAMES, type PartName, sequencesOf, viewsOf } from '../parts.ts'
import type { Report } from '../report.ts'
import { createClientCheck } from './clients.ts'
import { createFindings, type Difference } from './findings.ts'
import { type FirstLook, lookOnce, type VerifyOptions } from './first-look.ts'
import { rules } from './rules.ts'
import { lookAgain } from './second-look.ts'

export type VerifyItem =
  | ({ readonly type: 'difference' } & Difference)
  | { readonly type: 'summary'; readonly events: number; readonly streams: number; readonly differences: number }

/** Of each part, what it is read by; and how far the events of businesses have come to Clients, where it is known. */
type Inspected = Readonly<Record<PartName, { readonly inspection: Inspection }>> & {
  delivered?(): Promise<Position>
}

/**
 * Folds every log anew and checks positions, versions, times, totals, commit ids, clients, sequences and views against
 * it, while others write. Each difference is an item; the last item is the summary.
 */
export async function* verify(parts: Inspected, _input: object, report: Report): AsyncGenerator<VerifyItem> {
  const clients = createClientCheck()
  const streamsOf = new Map<string, number>()
  const delivered = (await parts.delivered?.()) ?? BEGINNING
  let [events, streams, differences] = [0, 0, 0]
  for (const part of PART_NAMES) {
    const findings = createFindings(part)
    const { inspection } = parts[part]
    const options = { inspection, views: viewsOf[part], rules, findings, settled: clients.settled }
    const look = await verifyPart(part, options, report)
    for (const [category, { count }] of look.views) streamsOf.set(category, count)
    if (part === 'contracts') {
      const counts = ['business', 'client'].map((category) => streamsOf.get(category) ?? 0)
      const [businesses, contracts] = [parts.businesses.inspection, parts.contracts.inspection]
      await clients.finish({ businesses, contracts, delivered }, counts, findings)
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
