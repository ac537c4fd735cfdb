import { stringify } from 'csv-stringify/sync'

/**
 * Records as lines of CSV by RFC 4180. A text that a spreadsheet would take for a formula (it begins with =, +, - or @,
 * also in full width, or with a tab or carriage return) gets an apostrophe in front; numbers stay numbers; null is an
 * empty field.
 */
export function csvLines(columns: readonly string[], records: readonly object[]): string {
  return stringify([...records], { ...OPTIONS, columns: [...columns] })
}

/** The line with the names of the columns. */
export function csvHeader(columns: readonly string[]): string {
  return csvLines(columns, [Object.fromEntries(columns.map((column) => [column, column]))])
}

const OPTIONS = {
  record_delimiter: 'windows',
  escape_formulas: true,
  // The package by itself would leave a line feed without a carriage return unquoted.
  quoted_match: /[\r\n]/,
} as const
