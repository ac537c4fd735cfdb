import type { LogEvent } from './event.ts'
import type { AnyViewDefinition, Versioned, ViewDefinition, ViewRow } from './ports/view.ts'

/** Folds a batch of log events into the rows of a view, as `foldBatch` does. */
export type FoldBatch = (
  definition: AnyViewDefinition,
  events: readonly LogEvent[],
  current: (id: string) => Versioned<unknown> | undefined,
  onFolded: (row: ViewRow, versionBefore: number) => void,
) => readonly ViewRow[]

/**
 * Folds a batch of log events into the rows of a view, and returns the changed rows as of the end of the batch.
 * `current` returns the view's current row, if any. Events that a row already contains are skipped, so a batch may be
 * folded again, and rows may be ahead of it.
 *
 * `onFolded` is called with every intermediate state, not only the last one of the batch.
 *
 * Throws when a row would skip a version, which can't happen while positions are gapless and batches arrive in order.
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
        `view ${definition.name}: ${event.stream.category} ${event.stream.id} is at version ${version}, ` +
          `but the next event has version ${event.version}. Rebuild the view; if that fails like this, restore a backup`,
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
