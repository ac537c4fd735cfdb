/** What one check of `cli/mint doctor` found. */
export interface Finding {
  /** What was checked: `disk`, `clock`, … */
  readonly check: string
  /** `problem`: Mint can't work, or can't keep its guarantees; `warning`: that may soon be so. */
  readonly state: 'ok' | 'warning' | 'problem'
  readonly what: string
  /** What to do; null if nothing. */
  readonly remedy: string | null
}

/** A finding, with what to do unless all is well. */
export const found = (check: string, state: Finding['state'], what: string, remedy = ''): Finding => ({
  check,
  state,
  what,
  remedy: state === 'ok' ? null : remedy,
})
