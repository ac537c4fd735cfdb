import { REPORT_BYTES } from '../../shared/budget/make-within.ts'
import type { ReportGroup } from '../../shared/fields/report-fields.ts'
import { formatTimestamp } from '../../shared/fields/timestamp.ts'
import type { ContractLine, ContractReportRow, ContractSums } from '../../shared/gen/mint/contracts/v1/reports.ts'
import { csvFile, documentCsv } from '../csv/csv-file.ts'
import { documentListed } from '../openapi/documented.ts'
import {
  changeRecord,
  lineColumns,
  lineRecord,
  reportCells,
  reportChangesPage,
  reportColumns,
  reportLinesPage,
  reportPage,
  reportRow,
  sumsRecord,
} from '../records/report-record.ts'
import {
  reportChangesQuery,
  reportExportQuery,
  reportLinesExportQuery,
  reportLinesQuery,
  reportQuery,
} from '../schemas/report.ts'
import { type Answer, listed, type Piecewise } from './answer.ts'
import { namesOf } from './authors.ts'
import { forPiece } from './call-context.ts'
import { endpoint, type Route } from './endpoint.ts'
import { type NextPage, nextPage } from './next-page.ts'

const READING = { scope: 'contracts:read', memory: REPORT_BYTES } as const

const ORDER =
  'Rows are ordered by month, ascending, then by totalFeeWithTax, highest first, then by their texts. Every amount is exact: a decimal as a string, which can have more digits than a JSON number holds.'

const report = endpoint({
  operationId: 'reportContracts',
  summary: 'Add up contracts',
  description: `By month, client or service type, now or as of any past moment. ${ORDER} The answer about a past moment never changes again.`,
  answers: documentListed(reportPage),
  ...READING,
  query: reportQuery,
  answer: async ({ query, context }, { reports }) => {
    const { rows, ...page } = await reports.reportContracts(toRequest(query), context)
    return summed(query, 'rows', rows.map(reportRow), page)
  },
})

const file = endpoint({
  operationId: 'exportContractReport',
  summary: 'Download a report as CSV',
  description: `All rows of the report, as CSV (RFC 4180) in UTF-8 with a header line: the columns are what it is grouped by, then the sums; without groups, one row has the sums of all contracts. ${ORDER} Text is quoted and marked as in \`/contracts.csv\`.`,
  answers: documentCsv(reportColumns(['month', 'clientId'])),
  ...READING,
  query: reportExportQuery,
  answer: async ({ query: { bom = false, ...rest }, context }, { reports }) => {
    const { columns } = reportColumns(rest.groupBy ?? [])
    const readPage = allPages(rest.asOf, async (page) => {
      const answer = await reports.reportContracts({ ...toRequest(rest), ...page }, forPiece(context))
      // Without groups, one row has the sums.
      return { ...answer, items: rest.groupBy ? answer.rows : [{ sums: answer.sums }] }
    })
    const rows = async (page: readonly ContractReportRow[]) => page.map(reportCells)
    return csvFile({ name: 'report.csv', columns, rows, bom, readPage })
  },
})

/** The longest page of the service. */
const MAX_PAGE_ROWS = 1_000

type Page = Record<'limit' | 'offset', number>

/** All items, page by page, as of one moment. */
function allPages<Item>(
  asOf: number | undefined,
  read: (
    page: Page & { readonly asOf: number | undefined },
  ) => Promise<{ asOf: number; items: readonly Item[]; total: number }>,
): Piecewise<readonly Item[]> {
  let [moment, offset, total] = [asOf, 0, Number.POSITIVE_INFINITY]
  return async () => {
    if (offset >= total) return undefined
    const page = await read({ asOf: moment, limit: MAX_PAGE_ROWS, offset })
    moment = page.asOf
    offset += page.items.length
    total = page.items.length === 0 ? 0 : page.total
    return page.items
  }
}

const LINES_ORDER =
  'The contracts that the report with the same filters and moment adds up, as they were then, by service date, then by number. The lines add up to its sums, exactly.'

const lines = endpoint({
  operationId: 'listContractLines',
  summary: 'List the contracts behind a report',
  description: LINES_ORDER,
  answers: documentListed(reportLinesPage),
  ...READING,
  query: reportLinesQuery,
  answer: async ({ query, context }, { reports }) => {
    const { lines, ...page } = await reports.listContractLines(query, context)
    return summed(query, 'lines', lines.map(lineRecord), page)
  },
})

const linesFile = endpoint({
  operationId: 'exportContractLines',
  summary: 'Download the contracts behind a report as CSV',
  description: `All lines, as CSV (RFC 4180) in UTF-8 with a header line. ${LINES_ORDER} Text is quoted and marked as in \`/contracts.csv\`.`,
  answers: documentCsv(lineColumns),
  ...READING,
  query: reportLinesExportQuery,
  answer: async ({ query: { bom = false, ...rest }, context }, { reports }) => {
    const readPage = allPages(rest.asOf, async (page) => {
      const answer = await reports.listContractLines({ ...rest, ...page }, forPiece(context))
      return { ...answer, items: answer.lines }
    })
    const rows = (page: readonly ContractLine[]) => lineColumns.rows(page, context)
    return csvFile({ name: 'lines.csv', columns: lineColumns.columns, rows, bom, readPage })
  },
})

const changes = endpoint({
  operationId: 'listContractChanges',
  summary: 'List what changed in a report between two moments',
  description:
    'Every contract whose amounts or grouping differ at `until` from those at `since`, newest change first. The filters apply to each side: a side that doesn’t match them is null. The report at `until` is the report at `since` plus `difference`.',
  answers: documentListed(reportChangesPage),
  ...READING,
  query: reportChangesQuery,
  answer: async ({ query, context }, { reports, apiKeys }) => {
    const page = await reports.listContractChanges(query, context)
    const names = await namesOf(page.changes, apiKeys)
    const shown = page.changes.map((change) => changeRecord(change, names.get(change.by) ?? null))
    const { total, difference } = page
    const [since, until] = [formatTimestamp(page.since), formatTimestamp(page.until)]
    const next = ofMoment({ until }, nextPage(query, { count: shown.length, total }))
    return listed(JSON.stringify({ since, until, changes: shown, total, difference: sumsRecord(difference) }), next)
  },
})

interface Summed {
  readonly asOf: number
  readonly total: number
  readonly sums?: ContractSums | undefined
}

/** A page of rows or lines, under `many`, with the sums over all of them. */
function summed(query: Page, many: 'rows' | 'lines', items: readonly object[], { asOf, total, sums }: Summed): Answer {
  const moment = { asOf: formatTimestamp(asOf) }
  const next = ofMoment(moment, nextPage(query, { count: items.length, total }))
  return listed(JSON.stringify({ ...moment, [many]: items, total, sums: sumsRecord(sums) }), next)
}

/** The next page is of the same moment. */
const ofMoment = (moment: NextPage, next: NextPage | undefined): NextPage | undefined => next && { ...moment, ...next }

function toRequest<Query extends { readonly groupBy?: readonly ReportGroup[] | undefined }>({
  groupBy = [],
  ...query
}: Query) {
  return { ...query, groupBy: [...groupBy] }
}

/** Reports: contracts added up and those behind a sum, as files too, and what changed between two moments. */
export const reportRoutes: readonly Route[] = [
  { path: '/reports/contracts', methods: { GET: report } },
  { path: '/reports/contracts.csv', methods: { GET: file } },
  { path: '/reports/contracts/lines', methods: { GET: lines } },
  { path: '/reports/contracts/lines.csv', methods: { GET: linesFile } },
  { path: '/reports/contracts/changes', methods: { GET: changes } },
]
