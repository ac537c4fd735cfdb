import type { PageContext } from '../frame/page.ts'
import { createDownload } from '../lists/download.ts'
import type { FileColumn } from '../sheets/csv-table.ts'
import { type Group, parametersOf, type ReportFilters } from './reports.ts'

interface GroupFile {
  readonly name: string
  readonly title: string
  readonly column: FileColumn
}

const FILES: Readonly<Record<Group, GroupFile>> = {
  month: { name: 'by-month', title: 'By month', column: { heading: 'Month', type: 'month', from: ['month'] } },
  clientId: {
    name: 'by-client',
    title: 'By client',
    column: { heading: 'Client', type: 'text', from: ['displayName', 'clientId'] },
  },
  serviceType: {
    name: 'by-type',
    title: 'By service type',
    column: { heading: 'Service type', type: 'text', from: ['serviceType'] },
  },
}

/** Headed as the tables are. */
const SUMS: readonly FileColumn[] = [
  { heading: 'Contracts', type: 'integer', from: ['count'] },
  { heading: 'Fees', type: 'amount', from: ['serviceFee'] },
  { heading: 'Tax', type: 'amount', from: ['tax'] },
  { heading: 'Total with tax', type: 'amount', from: ['totalFeeWithTax'] },
  { heading: 'Billed', type: 'amount', from: ['billed'] },
]

/** Saves reports as files: buttons for each. */
export function createReportFile(context: PageContext) {
  const { button, problem } = createDownload(context)
  return {
    /** `rows`: how many the report has; undefined: not known yet. */
    button(groupBy: Group, filters: ReportFilters, rows?: number) {
      const query = { groupBy, ...parametersOf(filters) }
      const { name, title, column } = FILES[groupBy]
      const sheet = { title, columns: [column, ...SUMS], rows }
      return button({ path: 'reports/contracts.csv', query, name: `billed-${name}.csv`, sheet }, name.replace('-', ' '))
    },
    problem,
  }
}

export type ReportFile = ReturnType<typeof createReportFile>
