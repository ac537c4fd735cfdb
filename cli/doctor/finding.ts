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

export const ok = (check: string, what: string): Finding => ({ check, state: 'ok', what, remedy: null })

/** Something to do; a warning unless it is a problem already. */
export const wrong = (
  check: string,
  { state = 'warning', what, remedy }: Pick<Finding, 'what'> & { state?: 'warning' | 'problem'; remedy: string },
): Finding => ({ check, state, what, remedy })
