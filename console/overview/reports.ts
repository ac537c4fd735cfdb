import type { Api } from '../api/client.ts'
import type { Period } from './period.ts'
import type { MonthSums, Sums } from './sums.ts'

interface ClientSums extends Sums {
  readonly clientId: string
  /** null: no business is known by this clientId. */
  readonly displayName: string | null
}

interface TypeSums extends Sums {
  readonly serviceType: string
}

/** What a report adds up. */
export interface ReportFilters extends Period {
  readonly clientId: string | undefined
  readonly serviceType: string | undefined
  /** As of which moment; undefined: now. */
  readonly asOf: string | undefined
}

/** A page of a report. */
export interface Report<By extends Group> {
  /** The moment of the report. */
  readonly asOf: string
  readonly rows: readonly ReportRows[By][]
  /** How many rows there are on all pages. */
  readonly total: number
  /** Over all rows. */
  readonly sums: Sums
}

/** The rows of a report, by what they are grouped by. */
export interface ReportRows {
  readonly month: MonthSums
  readonly clientId: ClientSums
  readonly serviceType: TypeSums
}

/** What the rows of a report can be grouped by. */
export type Group = keyof ReportRows

/** As many rows as a report answers at once: the months of eighty years. */
export const MAX_MONTHS = 1_000

/** The parameters of a report. */
export function parametersOf({ from, to, clientId, serviceType, asOf }: ReportFilters) {
  return { clientId, serviceType, serviceDateFrom: from, serviceDateTo: to, asOf }
}

/** Those of the list that has the contracts behind it. */
export function contractsQuery(filters: ReportFilters) {
  const { asOf: _, ...query } = parametersOf(filters)
  return query
}

/** Fetches a page of a report. */
export async function fetchReport<By extends Group>(
  api: Api,
  groupBy: By,
  { filters, limit, offset, signal }: ReportOptions,
): Promise<Report<By>> {
  const { body } = await api.get('reports/contracts', {
    query: { groupBy, ...parametersOf(filters), limit, offset },
    signal,
  })
  return body
}

interface ReportOptions {
  readonly filters: ReportFilters
  readonly limit: number
  readonly offset?: number
  readonly signal: AbortSignal
}
