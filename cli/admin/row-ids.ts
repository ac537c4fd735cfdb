import type { Inspection } from '../../shared/event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'

/** The ids of all rows of a view, `step` at a time. */
export async function* rowIds({ rowIds: read }: Inspection, view: AnyViewDefinition, step: number) {
  for (let ids = await read(view, undefined, step); ids.length > 0; ids = await read(view, ids.at(-1), step)) yield ids
}
