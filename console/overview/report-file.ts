import type { PageContext } from '../frame/page.ts'
import { createDownload } from '../lists/download.ts'
import { type Group, parametersOf, type ReportFilters } from './reports.ts'

const NAMES: Readonly<Record<Group, string>> = { month: 'by-month', clientId: 'by-client', serviceType: 'by-type' }

/** Saves reports as files: a button for each. */
export function createReportFile(context: PageContext) {
  const { button, problem } = createDownload(context)
  return {
    button(groupBy: Group, filters: ReportFilters) {
      const [query, name] = [{ groupBy, ...parametersOf(filters) }, NAMES[groupBy]]
      return button({ path: 'reports/contracts.csv', query, name: `billed-${name}.csv` }, name.replace('-', ' '))
    },
    problem,
  }
}

export type ReportFile = ReturnType<typeof createReportFile>
