import { html, type TemplateResult } from 'lit-html'
import type { ReportFilters, ReportRows } from './reports.ts'

/** What contracts are added up by, beside months. */
export interface Grouping<By extends 'clientId' | 'serviceType'> {
  readonly groupBy: By
  readonly title: string
  /** What a row is. */
  readonly one: string
  readonly many: string
  /** The page that has all rows. */
  readonly path: string
  nameOf(row: ReportRows[By]): TemplateResult
  /** The contracts behind a row. */
  filterOf(row: ReportRows[By]): Partial<ReportFilters>
}

export const byClient: Grouping<'clientId'> = {
  groupBy: 'clientId',
  title: 'By client',
  one: 'Client',
  many: 'clients',
  path: '/overview/clients',
  nameOf: ({ clientId, displayName }) =>
    displayName === null ? html`<code>${clientId}</code>` : html`<bdi>${displayName}</bdi>`,
  filterOf: ({ clientId }) => ({ clientId }),
}

export const byType: Grouping<'serviceType'> = {
  groupBy: 'serviceType',
  title: 'By service type',
  one: 'Service type',
  many: 'service types',
  path: '/overview/types',
  nameOf: ({ serviceType }) => html`<bdi>${serviceType}</bdi>`,
  filterOf: ({ serviceType }) => ({ serviceType }),
}
