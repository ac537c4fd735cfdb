import type { Api } from '../api/client.ts'
import type { PageContext } from '../frame/page.ts'
import { ALL_TIME, type Period } from './period.ts'
import type { MonthSums, Sums } from './sums.ts'

/** What a report adds up: besides the period, each text has the name of its parameter. */
export interface ReportFilters extends Period {
  /** As of which moment; undefined: now. */
  readonly asOf: string | undefined
  readonly [text: string]: string | undefined
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

/** A contract behind a sum, as it stood at the moment of the report. */
export interface Line extends Omit<Sums, 'count'> {
  readonly contractId: number
  readonly serviceDate: string
  readonly clientId: string
  readonly displayName: string | null
  readonly serviceName: string
  readonly serviceType: string
  readonly taxPercent: string
}

/** A page of lines, and the sums of all lines. */
export interface Lines extends Pick<Report<Group>, 'asOf' | 'total' | 'sums'> {
  readonly lines: readonly Line[]
}

/** The rows of a report, by what they are grouped by. */
export interface ReportRows {
  readonly month: MonthSums
  /** `displayName` is null if no business is known by this clientId. */
  readonly clientId: Sums & Pick<Line, 'clientId' | 'displayName'>
  readonly serviceType: Sums & Pick<Line, 'serviceType'>
}

/** What the rows of a report can be grouped by. */
export type Group = keyof ReportRows

/** The most rows or lines that the API returns at once, enough for the months of eighty years. */
export const MAX_LIMIT = 1_000

/** The parameters of a report. */
export function parametersOf({ from, to, ...filters }: ReportFilters) {
  return { ...filters, serviceDateFrom: from, serviceDateTo: to }
}

/** The parameter of a moment that a single page is pinned to. */
export const AT = 'at'

/** The address of a page about what a report added up, at the moment of that report. */
export function addressOf(path: string, { link, asOf }: PageContext, filters: ReportFilters, moment: string): string {
  const { asOf: _, ...query } = parametersOf(filters)
  const period = filters.from === undefined && filters.to === undefined ? ALL_TIME : undefined
  return link(path, { ...query, period, [AT]: asOf() === undefined ? moment : undefined })
}

/** The address of the lines behind a figure. */
export const linesAddress = (context: PageContext, filters: ReportFilters, moment: string): string =>
  addressOf('/overview/lines', context, filters, moment)

/** Fetches a page of a report. */
export async function fetchReport<By extends Group>(
  api: Api,
  groupBy: By,
  { filters, limit, offset, signal }: ReportOptions,
): Promise<Report<By>> {
  return await api.get('reports/contracts', { query: { groupBy, ...parametersOf(filters), limit, offset }, signal })
}

/** Fetches a page of the lines behind a figure. */
export async function fetchLines(api: Api, { filters, signal, ...page }: ReportOptions): Promise<Lines> {
  return await api.get('reports/contracts/lines', { query: { ...parametersOf(filters), ...page }, signal })
}

/** Fetches all lines, as of one moment; none if there are more than `most`. */
export async function fetchAllLines(
  api: Api,
  { filters, most, signal }: Pick<ReportOptions, 'filters' | 'signal'> & { readonly most: number },
): Promise<Lines> {
  const options = { limit: MAX_LIMIT, signal }
  const { lines: first, ...all } = await fetchLines(api, { ...options, filters })
  const lines = all.total > most ? [] : [...first]
  // The service decides which moment is now: the browser's clock may be wrong.
  const pinned = { ...options, filters: { ...filters, asOf: all.asOf } }
  while (all.total <= most && lines.length < all.total) {
    lines.push(...(await fetchLines(api, { ...pinned, offset: lines.length })).lines)
  }
  return { ...all, lines }
}

interface ReportOptions {
  readonly filters: ReportFilters
  readonly limit: number
  readonly offset?: number
  readonly signal: AbortSignal
}
