/** For commands whose answer is a list. */
export const JSON_LINES = ['--json', 'for machines: one JSON value a line'] as const
