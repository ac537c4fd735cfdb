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
  if (versions.kind === 'labels') return ['since', 'label', 'era', 'number']
  return ['at', ...Object.keys(versions.texts), 'date', ...Object.keys(versions.amounts)]
}

/** Says what a view must store of a version. */
export function versionStorer<State>({ versions }: ViewDefinition<State>): (row: ViewRow<State>) => StoredVersion {
  if (versions === undefined) return ({ id, version }) => ({ id, version, values: [] })
  if (versions.kind === 'labels') {
    const { since, label, era, number } = versions
    return ({ id, version, state }) => ({
      id,
      version,
      values: [since(state), label(state), era(state), number(state)],
    })
  }
  const fields = [...Object.values(versions.texts), versions.date, ...Object.values(versions.amounts)]
  return ({ id, version, at, state }) => ({ id, version, values: [at, ...fields.map((field) => field(state))] })
}
