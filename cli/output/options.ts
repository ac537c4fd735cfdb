/** For commands that print a list. */
export const JSON_LINES = ['--json', 'for machines: one JSON value per line'] as const

export interface JsonOption {
  readonly json?: boolean
}

/** The end of `--help`; `settings` come before the command. */
export const example = (words: string, settings = ''): string => `\nExample:\n  ${settings}cli/mint ${words}`
