import { closingPage } from './closing/closing-page.ts'
import type { PageEntry } from './frame/page.ts'
import { healthPage } from './health/health-page.ts'
import { importPage } from './import/import-page.ts'
import { keyPage } from './keys/key-page.ts'
import { keysPage } from './keys/keys-page.ts'
import { newKeyPage } from './keys/new-key-page.ts'
import { revokePage } from './keys/revoke-page.ts'
import { rotatePage } from './keys/rotate-page.ts'
import { listPage } from './lists/list-page.ts'
import { groupedPage } from './overview/grouped-page.ts'
import { byClient, byType } from './overview/groups.ts'
import { overviewPage } from './overview/overview-page.ts'
import { createPage } from './records/create-page.ts'
import { editPage } from './records/edit-page.ts'
import { businesses, clients, contracts } from './records/kinds.ts'
import { recordPage } from './records/record-page.ts'

/** Every page of the console, in the order of the navigation. */
export const pages: readonly PageEntry[] = [
  { path: '/overview', inNavigation: 'Overview', calls: [['/reports/contracts', 'GET']], open: overviewPage },
  { path: '/overview/clients', open: groupedPage(byClient) },
  { path: '/overview/types', open: groupedPage(byType) },
  { path: '/contracts', inNavigation: 'Contracts', calls: [['/contracts', 'GET']], open: listPage(contracts) },
  { path: '/contracts/new', open: createPage(contracts) },
  { path: '/contracts/:id', open: recordPage(contracts) },
  { path: '/contracts/:id/edit', open: editPage(contracts) },
  { path: '/businesses', inNavigation: 'Businesses', calls: [['/businesses', 'GET']], open: listPage(businesses) },
  { path: '/businesses/new', open: createPage(businesses) },
  { path: '/businesses/:id', open: recordPage(businesses) },
  { path: '/businesses/:id/edit', open: editPage(businesses) },
  { path: '/clients', inNavigation: 'Clients', calls: [['/clients', 'GET']], open: listPage(clients) },
  { path: '/clients/:id', open: recordPage(clients) },
  { path: '/closing', inNavigation: 'Closing', calls: [['/closing', 'GET']], open: closingPage },
  {
    path: '/import',
    inNavigation: 'Import',
    calls: [
      ['/contracts.csv', 'POST'],
      ['/businesses.csv', 'POST'],
    ],
    open: importPage,
  },
  { path: '/keys', inNavigation: 'Keys', calls: [['/api-keys', 'GET']], open: keysPage },
  { path: '/keys/new', open: newKeyPage },
  { path: '/keys/:id', open: keyPage },
  { path: '/keys/:id/rotate', open: rotatePage },
  { path: '/keys/:id/revoke', open: revokePage },
  { path: '/health', inNavigation: 'Health', calls: [['/operations/status', 'GET']], open: healthPage },
]
