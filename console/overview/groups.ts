import { html, type TemplateResult } from 'lit-html'
import { type TextName, text } from '../languages/texts.ts'
import type { ReportFilters, ReportRows } from './reports.ts'

/** What contracts are added up by, other than months. */
export interface Grouping<By extends 'clientId' | 'serviceType'> {
  readonly groupBy: By
  readonly title: string
  /** The title of the page that has all rows. */
  readonly pageTitle: string
  /** What a row is. */
  readonly one: string
  /** Says how many rows there are. */
  readonly all: TextName
  /** The page that has all rows. */
  readonly path: string
  nameOf(row: ReportRows[By]): TemplateResult
  /** The contracts behind a row. */
  filterOf(row: ReportRows[By]): Partial<ReportFilters>
}

export const byClient: Grouping<'clientId'> = {
  groupBy: 'clientId',
  title: text('overview.byClient'),
  pageTitle: text('overview.titleByClient'),
  one: text('field.clientId'),
  all: 'overview.allClients',
  path: '/overview/clients',
  nameOf: ({ clientId, displayName }) =>
    displayName === null ? html`<code>${clientId}</code>` : html`<bdi>${displayName}</bdi>`,
  filterOf: ({ clientId }) => ({ clientId }),
}

export const byType: Grouping<'serviceType'> = {
  groupBy: 'serviceType',
  title: text('overview.byType'),
  pageTitle: text('overview.titleByType'),
  one: text('field.serviceType'),
  all: 'overview.allTypes',
  path: '/overview/types',
  nameOf: ({ serviceType }) => html`<bdi>${serviceType}</bdi>`,
  filterOf: ({ serviceType }) => ({ serviceType }),
}
