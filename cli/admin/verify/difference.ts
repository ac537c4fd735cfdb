import type { PartName } from '../parts.ts'

/** What can be wrong with a log and its views. */
export type DifferenceKind =
  | 'position'
  | 'commit-id'
  | 'version'
  | 'time'
  | 'unreadable'
  | 'total'
  | 'client'
  | 'sequence'
  | 'view'

/** Something that is not as the log says, or as a log can't be. */
export interface Difference {
  readonly part: PartName
  readonly kind: DifferenceKind
  /** For example `position 17`, `contract 7`, `view contracts, row 7`. */
  readonly where: string
  /** What was expected, and what is there. */
  readonly message: string
}

/** Collects differences of one part; the same one is told once. */
export interface Findings {
  readonly found: readonly Difference[]
  add(kind: DifferenceKind, where: string, message: string): void
}

/** None yet. */
export function createFindings(part: PartName): Findings {
  const found = new Map<string, Difference>()
  return {
    get found() {
      return [...found.values()]
    },
    add(kind, where, message) {
      found.set(`${kind} ${where} ${message}`, { part, kind, where, message })
    },
  }
}
