import { businessPage, clientPage } from './clients/client-page.ts'
import { closingPage } from './closing/closing-page.ts'
import { creditPage } from './credits/credit-page.ts'
import { createCreditsPanel } from './credits/credits-panel.ts'
import { lazyPage } from './frame/lazy-page.ts'
import type { Page, PageContext, PageEntry } from './frame/page.ts'
import { helpPage } from './help/help-page.ts'
import { type TextName, text } from './languages/texts.ts'
import { listPage } from './lists/list-page.ts'
import { groupedPage } from './overview/grouped-page.ts'
import { byClient, byType } from './overview/groups.ts'
import { linesPage } from './overview/lines-page.ts'
import { overviewPage } from './overview/overview-page.ts'
import { createPage } from './records/create-page.ts'
import { editPage } from './records/edit-page.ts'
import { firm, kinds, type RecordKind } from './records/kinds.ts'
import { recordPage } from './records/record-page.ts'

interface KindPages {
  readonly list: Omit<PageEntry, 'path'>
  readonly record: PageEntry['open']
}

/**
 * The pages of kinds that differ from the usual ones. Every client is a business, whose record has more fields: both share
 * one list and one kind of page.
 */
const ownPages: Readonly<Record<string, Partial<KindPages>>> = {
  contracts: { record: (context) => recordPage(kinds.contracts, context, createCreditsPanel(context)) },
  businesses: { list: { open: clientList }, record: businessPage },
  clients: {
    list: {
      inNavigation: kinds.clients.title,
      alsoAt: '/businesses',
      calls: ['/clients', '/businesses'].map((path) => [path, 'GET'] as const),
      open: clientList,
    },
    record: clientPage,
  },
}

/** Every page of the console, in the order of the navigation. */
export const pages: readonly PageEntry[] = [
  {
    path: '/overview',
    inNavigation: text('overview.title'),
    calls: [['/reports/contracts', 'GET']],
    open: overviewPage,
  },
  { path: '/overview/clients', open: (context) => groupedPage(byClient, context) },
  { path: '/overview/types', open: (context) => groupedPage(byType, context) },
  {
    path: '/contracts/several',
    calls: [['/contracts.csv', 'POST']],
    key: 'g',
    open: lazyPage('grid.title', () => import('./grid/grid-page.ts'), 'gridPage'),
  },
  { path: '/overview/lines', open: linesPage },
  ...Object.values(kinds).flatMap(pagesOf),
  {
    path: '/clients/:id/statement',
    open: lazyPage('statement.title', () => import('./statement/statement-page.ts'), 'statementPage'),
  },
  { path: '/contracts/:id/credit', open: creditPage },
  {
    ...listed(
      '/proposals',
      'proposals.title',
      '/proposals',
      () => import('./proposals/proposals-page.ts'),
      'proposalsPage',
    ),
    isCounted: true,
  },
  {
    path: '/proposals/:id',
    open: lazyPage('proposals.proposal', () => import('./proposals/proposal-page.ts'), 'proposalPage'),
  },
  { path: '/closing', inNavigation: text('closing.title'), calls: [['/closing', 'GET']], open: closingPage },
  listed('/changes', 'changes.title', '/events', () => import('./changes/changes-page.ts'), 'changesPage'),
  {
    path: '/import',
    inNavigation: text('import.title'),
    calls: Object.values(kinds)
      .filter(({ creation }) => creation !== undefined)
      .map(({ many }) => [`/${many}.csv`, 'POST']),
    open: lazyPage('import.title', () => import('./import/import-page.ts'), 'importPage'),
  },
  listed('/keys', 'keys.title', '/api-keys', () => import('./keys/keys-page.ts'), 'keysPage'),
  { path: '/keys/new', open: lazyPage('keys.newKey', () => import('./keys/new-key-page.ts'), 'newKeyPage') },
  { path: '/keys/:id', open: lazyPage('keys.key', () => import('./keys/key-page.ts'), 'keyPage') },
  listed('/webhooks', 'webhooks.title', '/webhooks', () => import('./webhooks/webhooks-page.ts'), 'webhooksPage'),
  {
    path: '/webhooks/new',
    open: lazyPage('webhooks.new', () => import('./webhooks/new-webhook-page.ts'), 'newWebhookPage'),
  },
  { path: '/webhooks/:id', open: lazyPage('webhooks.one', () => import('./webhooks/webhook-page.ts'), 'webhookPage') },
  listed('/health', 'health.title', '/operations/status', () => import('./health/health-page.ts'), 'healthPage'),
  // Last: every key may see it, and those that may see another page start there.
  { path: '/firm', inNavigation: text('kind.title.firm'), open: (context) => recordPage(firm, context) },
  { path: '/firm/edit', open: (context) => editPage(firm, context) },
  { path: '/help', open: helpPage },
]

/** A page in the navigation of those who may read a path. Its module is fetched when it is first used. */
function listed<Name extends string>(
  path: string,
  title: TextName,
  read: string,
  load: Parameters<typeof lazyPage<Name>>[1],
  name: Name,
): PageEntry {
  return { path, inNavigation: text(title), calls: [[read, 'GET']], open: lazyPage(title, load, name) }
}

/** The pages of a kind of record: its list, its records, and forms if callers create and edit them. */
function pagesOf(kind: RecordKind): readonly PageEntry[] {
  const { many, title, creation } = kind
  const path = `/${many}`
  const pages: KindPages = {
    list: { inNavigation: title, calls: [[path, 'GET']], open: (context) => listPage(kind, context) },
    record: (context) => recordPage(kind, context),
    ...ownPages[many],
  }
  const shown = [
    { path, ...pages.list },
    { path: `${path}/:id`, open: pages.record },
  ]
  if (creation === undefined) return shown
  return [
    // Before the page of a record, whose template also matches this path.
    { path: `${path}/new`, calls: [[path, 'POST']], key: 'n', open: (context) => createPage(kind, context) },
    ...shown,
    { path: `${path}/:id/edit`, open: (context) => editPage(kind, context) },
  ]
}

function clientList(context: PageContext): Page {
  const { businesses, clients } = kinds
  const list = context.may('/businesses', 'GET') ? { ...businesses, title: clients.title } : clients
  return listPage(list, context)
}
