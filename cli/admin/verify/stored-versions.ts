import type { Inspection } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import type { Difference, Findings } from './findings.ts'

/** Everything that a view's ledger or labels store, a page at a time; damage becomes findings. */
export async function* allStoredVersions(inspection: Inspection, view: AnyViewDefinition, findings: Findings) {
  const { kind, where } = placeOf(view)
  let from: string | undefined
  do {
    const { versions, damage, next } = await inspection.storedVersions(view, from)
    for (const message of damage) findings.add(kind, where, message)
    yield versions
    from = next
  } while (from !== undefined)
}

/** How findings name what a view stores of versions. */
export function placeOf({ name, versions }: AnyViewDefinition): Pick<Difference, 'kind' | 'where'> {
  return versions?.kind === 'labels'
    ? { kind: 'label', where: `labels of ${name}` }
    : { kind: 'ledger', where: `ledger of ${name}` }
}
