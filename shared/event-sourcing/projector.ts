import type { LogEvent } from './event.ts'
import type { Versioned, ViewDefinition, ViewRow } from './ports/view.ts'

/**
 * Folds a batch of the log's events onto the rows of a view, and returns the rows that changed, as they are after the
 * batch. `current` answers the row that the view holds now, undefined when it holds none; events that a row has
 * already seen are passed over, so the same batch may be folded again, and rows may be ahead of it.
 *
 * `onFolded` is called with each state on the way, not only the last one of the batch.
 *
 * Throws when a row would skip a version: that can't happen while positions are gapless and batches come in order.
 */
export function foldBatch<State>(
  definition: ViewDefinition<State>,
  events: readonly LogEvent[],
  current: (id: string) => Versioned<State> | undefined,
  onFolded: (row: ViewRow<State>, versionBefore: number) => void = () => undefined,
): ViewRow<State>[] {
  const rows = new Map<string, ViewRow<State>>()
  for (const event of events) {
    if (event.stream.category !== definition.category) continue
    const before = rows.get(event.stream.id) ?? current(event.stream.id)
    const version = before?.version ?? 0
    if (event.version <= version) continue
    if (event.version !== version + 1) {
      throw new Error(
        `view ${definition.name}: ${event.stream.category} ${event.stream.id} stands at version ${version}, ` +
          `the next event at ${event.version}; rebuild the view`,
      )
    }
    const state = definition.fold(before?.state, event)
    const { id } = event.stream
    const row = { view: definition.name, id, version: event.version, at: event.at, state }
    rows.set(id, row)
    onFolded(row, version)
  }
  return [...rows.values()]
}
