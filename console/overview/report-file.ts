import type { PageContext } from '../frame/page.ts'
import { createDownload } from '../lists/download.ts'
import type { FileColumn } from '../sheets/csv-table.ts'
import { type Group, parametersOf, type ReportFilters } from './reports.ts'

const column = (heading: string, type: FileColumn['type'], ...from: readonly string[]): FileColumn => {
  return { heading, type, from }
}

/** The tax that was billed, as on the screen. */
const TAX: FileColumn = { ...column('Tax', 'amount', 'tax'), difference: ['billed', 'serviceFee'] }

interface GroupFile {
  readonly name: string
  readonly title: string
  readonly first: FileColumn
}

const FILES: Readonly<Record<Group, GroupFile>> = {
  month: { name: 'by-month', title: 'By month', first: column('Month', 'month', 'month') },
  clientId: { name: 'by-client', title: 'By client', first: column('Client', 'client', 'displayName', 'clientId') },
  serviceType: { name: 'by-type', title: 'By service type', first: column('Service type', 'text', 'serviceType') },
}

/** Headed as the tables are. */
const SUMS: readonly FileColumn[] = [
  column('Contracts', 'number', 'count'),
  column('Fees', 'amount', 'serviceFee'),
  TAX,
  column('Total with tax', 'amount', 'billed'),
]

/** Those of a spreadsheet of contracts, line by line. */
export const lineColumns: readonly FileColumn[] = [
  column('Service date', 'date', 'serviceDate'),
  column('Contract', 'number', 'contractId'),
  column('Client', 'client', 'displayName', 'clientId'),
  column('Service', 'text', 'serviceName'),
  column('Service type', 'text', 'serviceType'),
  column('Fee', 'amount', 'serviceFee'),
  column('Tax %', 'decimal', 'taxPercent'),
  TAX,
  column('Total with tax', 'amount', 'billed'),
]

/** Saves reports as files: buttons for each. */
export function createReportFile(context: PageContext) {
  const { button, problem } = createDownload(context)
  return {
    /** `rows`: how many the report has; undefined: not known yet. */
    button(groupBy: Group, filters: ReportFilters, rows?: number) {
      const query = { groupBy, ...parametersOf(filters) }
      const { name, title, first } = FILES[groupBy]
      const sheet = { title, columns: [first, ...SUMS], rows }
      return button({ path: 'reports/contracts.csv', query, name: `billed-${name}.csv`, sheet }, name.replace('-', ' '))
    },
    problem,
  }
}

export type ReportFile = ReturnType<typeof createReportFile>
