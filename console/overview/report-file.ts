import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { createDownload } from '../lists/download.ts'
import type { FileColumn } from '../sheets/csv-table.ts'
import { type Group, parametersOf, type ReportFilters } from './reports.ts'

const column = (heading: string, type: FileColumn['type'], ...from: readonly string[]): FileColumn => {
  return { heading, type, from }
}

/** The tax that was billed, as on the screen. */
const TAX: FileColumn = { ...column(text('word.tax'), 'amount', 'tax'), difference: ['billed', 'serviceFee'] }

const CLIENT = column(text('field.clientId'), 'client', 'displayName', 'clientId')
const TYPE = column(text('field.serviceType'), 'text', 'serviceType')

const FILES: Readonly<Record<Group, readonly [name: string, title: string, first: FileColumn]>> = {
  month: ['billed-by-month', text('overview.byMonth'), column(text('word.month'), 'month', 'month')],
  clientId: ['billed-by-client', text('overview.byClient'), CLIENT],
  serviceType: ['billed-by-type', text('overview.byType'), TYPE],
}

/** Headed as the tables are. */
const SUMS: readonly FileColumn[] = [
  column(text('kind.title.contracts'), 'number', 'count'),
  column(text('overview.fees'), 'amount', 'serviceFee'),
  TAX,
  column(text('field.totalFeeWithTax'), 'amount', 'billed'),
]

/** The columns of a spreadsheet of contracts, line by line. */
export const lineColumns: readonly FileColumn[] = [
  column(text('field.serviceDate'), 'date', 'serviceDate'),
  column(text('kind.one.Contract'), 'number', 'contractId'),
  CLIENT,
  column(text('lines.service'), 'text', 'serviceName'),
  TYPE,
  column(text('word.fee'), 'amount', 'serviceFee'),
  column(text('field.taxPercent'), 'decimal', 'taxPercent'),
  TAX,
  column(text('field.totalFeeWithTax'), 'amount', 'billed'),
]

/** Saves reports as files, as of the moment of what is shown: buttons for each. */
export function createReportFile(context: PageContext) {
  const { button, problem } = createDownload(context)
  return {
    /** `rows`: how many the report has; undefined: not known yet. */
    button(groupBy: Group, filters: ReportFilters, rows?: number) {
      const query = { groupBy, ...parametersOf(filters) }
      const [name, title, first] = FILES[groupBy]
      const sheet = { title, columns: [first, ...SUMS], rows }
      return button({ path: 'reports/contracts.csv', query, name, sheet }, title)
    },
    problem,
  }
}

export type ReportFile = ReturnType<typeof createReportFile>
