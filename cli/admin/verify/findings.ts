/** Something that differs from the log, or that no log may contain. */
export interface Difference {
  readonly kind:
    | 'position'
    | 'commit-id'
    | 'version'
    | 'time'
    | 'unreadable'
    | 'total'
    | 'client'
    | 'sequence'
    | 'view'
    | 'ledger'
    | 'label'
  /** For example `position 17`, `contract 7`, `view contracts, row 7`, `ledger of contracts, row 7, version 2`. */
  readonly where: string
  /** What was expected, and what is there. */
  readonly message: string
}

/** What was found in the log of one part; the same difference is reported once. */
export type Findings = ReturnType<typeof createFindings>

/** Starts empty. */
export function createFindings() {
  const found = new Map<string, Difference>()
  const add = (kind: Difference['kind'], where: string, message: string): void =>
    void found.set(`${kind} ${where} ${message}`, { kind, where, message })
  return { found: found as ReadonlyMap<string, Difference>, add }
}
