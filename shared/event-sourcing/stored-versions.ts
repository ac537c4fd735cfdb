import type { AnyViewDefinition, ViewDefinition, ViewRow } from './ports/view.ts'

/** What a view's ledger or labels store of one version of an aggregate. */
export interface StoredVersion {
  readonly id: string
  readonly version: number
  /** In the order of `storedNames`. */
  readonly values: readonly (string | number)[]
}

/** The names of what a view stores of each version; empty when it stores only the last one. */
export function storedNames({ versions }: AnyViewDefinition): readonly string[] {
  if (versions === undefined) return []
  if (versions.kind === 'labels') return ['since', 'label']
  return ['at', ...Object.keys(versions.texts), 'date', ...Object.keys(versions.amounts)]
}

/** What a view must store of this version. */
export function storedVersion<State>(
  { versions }: ViewDefinition<State>,
  { id, version, at, state }: ViewRow<State>,
): StoredVersion {
  if (versions === undefined) return { id, version, values: [] }
  if (versions.kind === 'labels') return { id, version, values: [versions.since(state), versions.label(state)] }
  const of = (fields: Readonly<Record<string, (state: State) => string>>) =>
    Object.values(fields).map((field) => field(state))
  return { id, version, values: [at, ...of(versions.texts), versions.date(state), ...of(versions.amounts)] }
}
