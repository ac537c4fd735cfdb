import { html, type nothing, type TemplateResult } from 'lit-html'
import type { PageContext } from '../frame/page.ts'
import { createDownload } from '../lists/download.ts'
import { type Group, parametersOf, type ReportFilters } from './reports.ts'

/** Saves reports as files. */
export interface ReportFile {
  button(groupBy: Group, filters: ReportFilters): TemplateResult
  /** What went wrong with the last one. */
  problem(): TemplateResult | typeof nothing
}

const NAMES: Readonly<Record<Group, string>> = { month: 'by-month', clientId: 'by-client', serviceType: 'by-type' }

export function createReportFile(context: PageContext): ReportFile {
  const { save, isSaving, problem } = createDownload(context)
  const saveReport = (groupBy: Group, filters: ReportFilters) =>
    save('reports/contracts.csv', { groupBy, ...parametersOf(filters) }, `billed-${NAMES[groupBy]}.csv`)
  return {
    button: (groupBy, filters) =>
      html`<button type="button" ?disabled=${isSaving()} @click=${() => saveReport(groupBy, filters)}>Save as CSV<span class="visually-hidden"> ${NAMES[groupBy].replace('-', ' ')}</span></button>`,
    problem,
  }
}
