import type { Api } from '../api/client.ts'
import { parametersOf, type ReportFilters } from './reports.ts'
import type { Billed, ExactSums, Sums } from './sums.ts'

/** A contract behind a sum, as it stood at the moment of the report. */
export interface Line extends Billed, Omit<ExactSums, 'count'> {
  readonly contractId: number
  readonly serviceDate: string
  readonly clientId: string
  /** null: no business is known by this clientId. */
  readonly displayName: string | null
  readonly serviceName: string
  readonly serviceType: string
  readonly taxPercent: string
}

/** A page of them. */
export interface Lines {
  readonly asOf: string
  readonly lines: readonly Line[]
  /** How many lines there are on all pages, and what they add up to. */
  readonly total: number
  readonly sums: Sums
}

interface LinesOptions {
  readonly filters: ReportFilters
  readonly limit: number
  readonly offset?: number
  readonly signal: AbortSignal
}

/** Fetches a page of the lines behind a figure. */
export async function fetchLines(api: Api, { filters, signal, ...page }: LinesOptions): Promise<Lines> {
  const { body } = await api.get('reports/contracts/lines', { query: { ...parametersOf(filters), ...page }, signal })
  return body
}
