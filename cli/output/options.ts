/** For commands whose answer is a list. */
export const JSON_LINES = ['--json', 'for machines: one JSON value a line'] as const

export interface JsonOption {
  readonly json?: boolean
}

/** What `--help` ends with; `settings` come before the command. */
export const example = (words: string, settings = ''): string => `\nExample:\n  ${settings}cli/mint ${words}`
