import type { ViewCopy } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import type { Difference } from './findings.ts'
import type { LogCheck } from './log-check.ts'

/** How many versions of a view are named: if so many are wrong, the rest don't matter. */
const MOST_NAMED = 1_000

/** What differences are called in which kind of tables. */
const PLACES = {
  row: { kind: 'view', where: 'view' },
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
  for await (const { of, id, version, isMissing, message } of copy.differences(view)) {
    if (id !== undefined && log.isUnreadable({ category: view.category, id })) continue
    if (id !== undefined && version !== undefined && isMissing && log.isInner({ category: view.category, id }, version))
      continue
    if (version !== undefined) versions += 1
    if (versions > MOST_NAMED) continue
    const { kind, where } = PLACES[of]
    const row = id === undefined ? '' : `, row ${id}`
    yield { kind, where: `${where} ${view.name}${row}${version === undefined ? '' : `, version ${version}`}`, message }
  }
  if (versions <= MOST_NAMED || view.versions === undefined) return
  const { kind, where } = PLACES[view.versions.kind]
  const message = `${versions - MOST_NAMED} more versions are wrong: rebuild the view`
  yield { kind, where: `${where} ${view.name}`, message }
}
