import { stateAt } from '../../../shared/event-sourcing/past-states.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type {
  LedgerChange,
  LedgerChangesPage,
  LedgerFilter,
  LedgerLine,
  LinesPage,
  SumsPage,
} from '../../../shared/event-sourcing/ports/ledger.ts'
import type { ReportGroup } from '../../../shared/fields/report-fields.ts'
import { clientsView } from '../client/view.ts'
import { contractsView } from '../contract/view.ts'
import type { ReportClock } from './report-clock.ts'

/** Which contracts count. */
export interface ReportFilter {
  readonly clientId?: string | undefined
  readonly serviceType?: string | undefined
  /** `YYYY-MM-DD`, inclusive. */
  readonly serviceDateFrom?: string | undefined
  readonly serviceDateTo?: string | undefined
}

interface Paged {
  readonly limit: number
  readonly offset: number
}

export interface ReportLinesQuery extends ReportFilter, Paged {
  /** In milliseconds since the epoch, inclusive; undefined: now. */
  readonly asOf?: number | undefined
}

export interface ReportQuery extends ReportLinesQuery {
  readonly groupBy: readonly ReportGroup[]
}

export interface ReportChangesQuery extends ReportFilter, Paged {
  readonly since: number
  readonly until?: number | undefined
}

/** What is wrong with the moments that a caller named. */
export interface RefusedMoments {
  readonly type: 'refused'
  /** Which are in the future. */
  readonly inTheFuture: readonly ('asOf' | 'since' | 'until')[]
  readonly endsBeforeItBegins: boolean
}

export type ReportAnswer = { readonly type: 'answered'; readonly asOf: number; readonly page: SumsPage }
export type ReportLine = LedgerLine & { readonly serviceName: string }
export type ReportLinesAnswer = {
  readonly type: 'answered'
  readonly asOf: number
  readonly page: Omit<LinesPage, 'lines'>
  readonly lines: readonly ReportLine[]
}
export type ReportChangesAnswer = {
  readonly type: 'answered'
  readonly until: number
  readonly page: Omit<LedgerChangesPage, 'changes'>
  readonly changes: readonly (LedgerChange & { readonly by: string })[]
}

export type ReportQueries = ReturnType<typeof createReportQueries>

/** What a contract is billed with. */
export const BILLED = { name: 'billed', of: 'totalFeeWithTax', decimals: 2 } as const
const LABELLED = { text: 'clientId', view: clientsView.name } as const

/** Adding up the contracts in one database. Throws StoreUnavailable. */
export function createReportQueries({ view, events }: Pick<Database, 'view' | 'events'>, clock: ReportClock) {
  const contracts = view(contractsView)
  const { ledger } = contracts

  /** Which of these moments are in the future. */
  async function notPassed<Name extends string>(moments: Readonly<Record<Name, number | undefined>>): Promise<Name[]> {
    const names: Name[] = []
    for (const name of Object.keys(moments) as Name[]) {
      const moment = moments[name]
      if (moment !== undefined && !(await clock.hasPassed(moment))) names.push(name)
    }
    return names
  }

  async function authorOf({ id, version }: LedgerChange): Promise<string> {
    const stream = { category: contractsView.category, id }
    const [event] = await events.readStream(stream, { afterVersion: version - 1, upToVersion: version })
    if (event === undefined) throw new Error(`The log has no version ${version} of contract ${id}.`)
    return event.by
  }

  async function serviceNameOf({ id, version }: LedgerLine): Promise<string> {
    return (await stateAt({ events, view: contracts }, id, version)).serviceName
  }

  /** What a report asks the ledger for. */
  async function asked({ asOf, limit, offset, ...filter }: ReportLinesQuery) {
    const inTheFuture = await notPassed({ asOf })
    if (inTheFuture.length > 0) return { type: 'refused' as const, inTheFuture, endsBeforeItBegins: false }
    const common = { rounded: BILLED, labelled: LABELLED, limit, offset, ...ledgerFilter(filter) }
    return { type: 'asked' as const, query: { asOf: asOf ?? (await clock.now()), ...common } }
  }

  return {
    /** Contracts added up, in total and by group. */
    async sums({ groupBy, ...report }: ReportQuery): Promise<ReportAnswer | RefusedMoments> {
      const request = await asked(report)
      if (request.type === 'refused') return request
      const { query } = request
      return { type: 'answered', asOf: query.asOf, page: await ledger.sums({ ...query, groupBy }) }
    },

    /** The contracts behind a sum, by date, then by number. */
    async lines(report: ReportLinesQuery): Promise<ReportLinesAnswer | RefusedMoments> {
      const request = await asked(report)
      if (request.type === 'refused') return request
      const { query } = request
      const { lines, ...page } = await ledger.lines(query)
      const named = await Promise.all(lines.map(async (line) => ({ ...line, serviceName: await serviceNameOf(line) })))
      return { type: 'answered', asOf: query.asOf, page, lines: named }
    },

    /** The contracts whose amounts or grouping differ at `until` from those at `since`, newest change first. */
    async changes(query: ReportChangesQuery): Promise<ReportChangesAnswer | RefusedMoments> {
      const { since, until, limit, offset, ...filter } = query
      const inTheFuture = await notPassed({ since, until })
      const endsBeforeItBegins = until !== undefined && until < since
      if (inTheFuture.length > 0 || endsBeforeItBegins) return { type: 'refused', inTheFuture, endsBeforeItBegins }
      const moment = until ?? (await clock.now())
      const range = { since, until: moment, limit, offset }
      const { changes, ...page } = await ledger.changes({ ...range, ...ledgerFilter(filter) })
      const withAuthors = await Promise.all(changes.map(async (one) => ({ ...one, by: await authorOf(one) })))
      return { type: 'answered', until: moment, page, changes: withAuthors }
    },
  }
}

function ledgerFilter({ clientId, serviceType, serviceDateFrom: from, serviceDateTo: to }: ReportFilter): LedgerFilter {
  return { where: { clientId, serviceType }, from, to }
}
