import type { RecordJson } from '../api/json.ts'
import { ifFound } from '../api/problem.ts'
import type { Firm } from '../frame/firm.ts'
import type { PageContext } from '../frame/page.ts'
import { fetchAllLines, type Line, type ReportFilters } from '../overview/reports.ts'

/** What is printed: everything as it was at one moment, so that it never changes. */
export interface Statement {
  readonly filters: ReportFilters
  readonly clientId: string
  readonly asOf: string
  readonly firm: Firm
  /** The client's business; undefined: not known at that moment, or this key may not read it. */
  readonly business: RecordJson | undefined
  /** How many contracts the period has. */
  readonly total: number
  /** All of them, unless there are more than MAX_LINES. */
  readonly lines: readonly Line[]
}

/** Nobody prints more, and browsers struggle to show more. */
export const MAX_LINES = 10_000

/** Fetches a client's statement; `filters` say for which period, and as of when. */
export async function fetchStatement(
  context: PageContext,
  clientId: string,
  { filters, signal }: { readonly filters: ReportFilters; readonly signal: AbortSignal },
): Promise<Statement> {
  const { api } = context
  const own = { ...filters, clientId }
  const { asOf, total, lines } = await fetchAllLines(api, { filters: own, most: MAX_LINES, signal })
  const [firm, business] = await Promise.all([
    api.get('firm', { query: { asOf }, signal }),
    fetchBusiness(context, { clientId, asOf }, signal),
  ])
  return { filters, clientId, asOf, firm, business, total, lines }
}

async function fetchBusiness(
  { api, may }: PageContext,
  { clientId, asOf }: Pick<Statement, 'clientId' | 'asOf'>,
  signal: AbortSignal,
): Promise<RecordJson | undefined> {
  if (!may('/clients/{clientId}', 'GET') || !may('/businesses/{id}', 'GET')) return undefined
  const client = await ifFound(api.get(`clients/${encodeURIComponent(clientId)}`, { signal }))
  const path = `businesses/${client?.businessId}`
  return client && (await ifFound(api.get(path, { query: { asOf }, signal })))
}
