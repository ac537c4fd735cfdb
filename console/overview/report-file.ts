import { html, nothing, type TemplateResult } from 'lit-html'
import { explain, isAbort } from '../api/problem.ts'
import type { PageContext } from '../frame/page.ts'
import { saveFile } from '../lists/download.ts'
import { type Group, parametersOf, type ReportFilters } from './reports.ts'

/** Saves reports as files. */
export interface ReportFile {
  button(groupBy: Group, filters: ReportFilters): TemplateResult
  /** What went wrong with the last one. */
  problem(): TemplateResult | typeof nothing
}

const NAMES: Readonly<Record<Group, string>> = { month: 'by-month', clientId: 'by-client', serviceType: 'by-type' }

export function createReportFile({ api, signal, update, announce }: PageContext): ReportFile {
  let [isSaving, problem] = [false, '']

  async function save(groupBy: Group, filters: ReportFilters): Promise<void> {
    ;[isSaving, problem] = [true, '']
    update()
    try {
      const query = { groupBy, ...parametersOf(filters), bom: 'true' }
      saveFile(await api.file('reports/contracts.csv', { query, signal }), `billed-${NAMES[groupBy]}.csv`)
      announce('The file is saved.')
    } catch (error) {
      if (!isAbort(error)) problem = explain(error)
    }
    isSaving = false
    update()
  }

  return {
    button: (groupBy, filters) =>
      html`<button type="button" ?disabled=${isSaving} @click=${() => save(groupBy, filters)}>Save as CSV<span class="visually-hidden"> ${NAMES[groupBy].replace('-', ' ')}</span></button>`,
    problem: () => (problem === '' ? nothing : html`<div class="problem" role="alert"><p>${problem}</p></div>`),
  }
}
