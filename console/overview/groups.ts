import { html, type TemplateResult } from 'lit-html'
import type { ClientSums, ReportFilters, TypeSums } from './reports.ts'
import type { Sums } from './sums.ts'

/** What contracts are added up by, beside months. */
export interface Grouping<Row extends Sums> {
  readonly groupBy: 'clientId' | 'serviceType'
  readonly title: string
  /** What a row is. */
  readonly one: string
  readonly many: string
  /** The page that has all rows. */
  readonly path: string
  nameOf(row: Row): TemplateResult
  /** The contracts behind a row. */
  filterOf(row: Row): Partial<ReportFilters>
}

export const byClient: Grouping<ClientSums> = {
  groupBy: 'clientId',
  title: 'By client',
  one: 'Client',
  many: 'clients',
  path: '/overview/clients',
  nameOf: ({ clientId, displayName }) =>
    displayName === null ? html`<code>${clientId}</code>` : html`<bdi>${displayName}</bdi>`,
  filterOf: ({ clientId }) => ({ clientId }),
}

export const byType: Grouping<TypeSums> = {
  groupBy: 'serviceType',
  title: 'By service type',
  one: 'Service type',
  many: 'service types',
  path: '/overview/types',
  nameOf: ({ serviceType }) => html`<bdi>${serviceType}</bdi>`,
  filterOf: ({ serviceType }) => ({ serviceType }),
}
