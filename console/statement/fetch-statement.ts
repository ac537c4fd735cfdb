import type { RecordJson } from '../api/json.ts'
import { ifFound } from '../api/problem.ts'
import type { Firm } from '../frame/firm.ts'
import type { PageContext } from '../frame/page.ts'
import type { Line } from './amounts.ts'
import type { StatementPeriod } from './periods.ts'

/** What is printed: everything as it was at one moment, so that it never changes. */
export interface Statement extends StatementPeriod {
  readonly clientId: string
  readonly asOf: string
  readonly firm: Firm
  /** The client's business; undefined: not known at that moment, or not this key's to read. */
  readonly business: RecordJson | undefined
  /** How many contracts the period has. */
  readonly total: number
  /** All of them, unless there are more than MAX_LINES. */
  readonly lines: readonly Line[]
}

/** Nobody prints more, and a browser has trouble to show it. */
export const MAX_LINES = 10_000

/** The most lines that the API answers at once. */
const PAGE = 1_000

interface StatementOptions extends StatementPeriod {
  readonly clientId: string
  /** As of which moment; undefined: now, which the statement then names. */
  readonly asOf: string | undefined
  readonly signal: AbortSignal
}

/** Fetches a client's statement for a period. */
export async function fetchStatement(context: PageContext, options: StatementOptions): Promise<Statement> {
  const { api } = context
  const { clientId, from, to, signal } = options
  const page = async (asOf: string | undefined, offset: number) => {
    const query = { clientId, serviceDateFrom: from, serviceDateTo: to, asOf, limit: PAGE, offset }
    return (await api.get('reports/contracts/lines', { query, signal })).body
  }
  // The service says which moment it is: the browser's clock may be wrong.
  const { asOf, total, lines: first } = await page(options.asOf, 0)
  const [{ body: firm }, business] = await Promise.all([
    api.get('firm', { query: { asOf }, signal }),
    fetchBusiness(context, clientId, asOf, signal),
  ])
  const lines: Line[] = total > MAX_LINES ? [] : first
  while (total <= MAX_LINES && lines.length < total) lines.push(...(await page(asOf, lines.length)).lines)
  return { clientId, from, to, asOf, firm, business, total, lines }
}

async function fetchBusiness(
  { api, may }: PageContext,
  clientId: string,
  asOf: string,
  signal: AbortSignal,
): Promise<RecordJson | undefined> {
  if (!may('/clients/{clientId}', 'GET') || !may('/businesses/{id}', 'GET')) return undefined
  const client = await ifFound(api.get(`clients/${encodeURIComponent(clientId)}`, { signal }))
  const path = `businesses/${client?.body.businessId}`
  return client && (await ifFound(api.get(path, { query: { asOf }, signal })))?.body
}
