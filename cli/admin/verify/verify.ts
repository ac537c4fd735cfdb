import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { Inspection } from '../../../shared/event-sourcing/ports/inspection.ts'
import { LAST_NUMBER } from '../../../shared/event-sourcing/ports/sequence.ts'
import { PART_NAMES, type PartName, sequencesOf, viewsOf } from '../parts.ts'
import type { Report } from '../report.ts'
import { createClientCheck } from './clients.ts'
import { createFindings, type Difference } from './findings.ts'
import { type FirstLook, scanLog, type VerifyOptions } from './first-look.ts'
import { rules } from './rules.ts'
import { checkSuspects } from './second-look.ts'
import { checkSuspectVersions } from './suspect-versions.ts'

export type VerifyItem =
  | ({ readonly type: 'difference' } & Difference)
  | { readonly type: 'summary'; readonly events: number; readonly streams: number; readonly differences: number }

/** How to read each part, and how far the events of businesses have reached Clients, if known. */
type Inspected = Readonly<Record<PartName, { readonly inspection: Inspection }>> & {
  delivered?(): Promise<Position>
}

/**
 * Refolds every log and checks positions, versions, times, totals, commit ids, clients, sequences and views, with their
 * ledgers and labels, against it, while others may write. Each difference is an item; the last item is the summary.
 */
export async function* verify(parts: Inspected, _input: object, report: Report): AsyncGenerator<VerifyItem> {
  const clients = createClientCheck()
  const delivered = (await parts.delivered?.()) ?? BEGINNING
  let [events, streams, differences] = [0, 0, 0]
  for (const part of PART_NAMES) {
    const findings = createFindings(part)
    const { inspection } = parts[part]
    const options = { inspection, views: viewsOf[part], rules, findings, onVersion: clients.onVersion }
    const scan = await verifyPart(part, options, report)
    if (part === 'contracts') {
      const [businesses, contracts] = [parts.businesses.inspection, parts.contracts.inspection]
      await clients.finish({ businesses, contracts, delivered }, findings)
    }
    for (const difference of findings.found.values()) yield { type: 'difference' as const, ...difference }
    differences += findings.found.size
    events += scan.events
    for (const { count } of scan.views.values()) streams += count
  }
  yield { type: 'summary', events, streams, differences }
}

async function verifyPart(part: PartName, options: VerifyOptions, report: Report): Promise<FirstLook> {
  const { inspection, findings } = options
  const head = await inspection.head()
  const scan = await scanLog(options, (events) => report(`checking ${part}`, Math.min(events, head), head))
  await checkSuspects(options, scan)
  for (const checked of scan.views.values()) await checkSuspectVersions(options, checked)
  // A number that is in use, but that the sequence has not reached, would be assigned again.
  for (const category of sequencesOf[part]) {
    const [last, highest] = [await inspection.lastNumber(category), scan.views.get(category)?.highest ?? 0]
    const add = (message: string): void =>
      findings.add('sequence', `sequence ${category}`, `it is at ${last}, ${message}`)
    if (last < highest) add(`but ${category} ${highest} is in the log`)
    if (last > LAST_NUMBER) add(`beyond ${LAST_NUMBER}: no numbers are left for new records`)
  }
  return scan
}
