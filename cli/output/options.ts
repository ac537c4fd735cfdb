/** For commands whose answer is a list. */
export const JSON_LINES = ['--json', 'for machines: one JSON value a line'] as const

export interface JsonOption {
  readonly json?: boolean
}

/** What `--help` ends with. */
export const example = (line: string): string => `\nExample:\n  ${line}`
