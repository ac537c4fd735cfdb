import type { ViewCopy } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import type { Difference } from './findings.ts'
import type { LogCheck } from './log-check.ts'

/** How many versions of a view are named: if so many are wrong, the rest don't matter. */
const MAX_NAMED = 1_000

/** What differences are called in which kind of tables. */
const PLACES = {
  row: { kind: 'view', where: 'view' },
  snapshots: { kind: 'view', where: 'snapshots of' },
  ledger: { kind: 'ledger', where: 'ledger of' },
  labels: { kind: 'label', where: 'labels of' },
} as const

/** How a view differs from its copy, but for records whose events can't all be read. */
export async function* viewDifferences(
  copy: ViewCopy,
  view: AnyViewDefinition,
  log: LogCheck,
): AsyncGenerator<Difference> {
  let versions = 0
  let more: Pick<Difference, 'kind' | 'where'> | undefined
  for await (const { of, id, version, isMissing, message } of copy.differences(view)) {
    const { kind, where } = PLACES[of]
    const place = { kind, where: `${where} ${view.name}` }
    if (id === undefined) yield { ...place, message }
    else if (log.explains({ category: view.category, id }, isMissing ? version : undefined)) continue
    else if (version === undefined) yield { kind, where: `${place.where}, row ${id}`, message }
    else if (++versions > MAX_NAMED) more = place
    else yield { kind, where: `${place.where}, row ${id}, version ${version}`, message }
  }
  if (more) yield { ...more, message: `${versions - MAX_NAMED} more versions are wrong: rebuild the view` }
}
