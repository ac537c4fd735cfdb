import { createNumberReader } from '../format/numbers.ts'
import type { FileSpelling } from './csv-table.ts'

/** How spreadsheets in these locales read files; undefined: as Mint writes them. */
export function createFileSpelling(locales: readonly string[]): FileSpelling | undefined {
  if (createNumberReader(locales).mark !== ',') return undefined
  const format = new Intl.DateTimeFormat([...locales], {
    calendar: 'gregory',
    numberingSystem: 'latn',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return {
    number: (text) => text.replace('.', ','),
    date(day) {
      const text = format.format(new Date(day))
      // Other forms can't be imported again.
      return /^\d\d([./-])\d\d\1\d{4}$/.test(text) ? text : day
    },
  }
}
