import Big from 'big.js'
import { z } from 'zod'
import type { LedgerEntry, Sum, SumsRow } from '../../../shared/event-sourcing/ports/ledger.ts'
import { codingStoreErrors } from '../../../shared/event-sourcing/store-errors.ts'
import { calendarDate } from '../../../shared/fields/calendar-date.ts'
import { invalidRequest, validated } from '../../../shared/fields/check.ts'
import { contractFields } from '../../../shared/fields/contract-fields.ts'
import { uuidLike } from '../../../shared/fields/identifiers.ts'
import { limit, offset, rowsLimit } from '../../../shared/fields/lists.ts'
import { reportGroups } from '../../../shared/fields/report-fields.ts'
import type { ViolationCode } from '../../../shared/fields/rule.ts'
import { timestamp } from '../../../shared/fields/timestamp.ts'
import type {
  ContractReportRow,
  ContractSums,
  CountedContract,
  ReportsService,
} from '../../../shared/gen/mint/contracts/v1/reports.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import type { RefusedMoments, ReportQueries } from '../report/queries.ts'

const filters = {
  clientId: uuidLike.optional(),
  serviceType: contractFields.serviceType.rule.optional(),
  serviceDateFrom: calendarDate.optional(),
  serviceDateTo: calendarDate.optional(),
}
const reportRequest = z.object({
  ...filters,
  groupBy: reportGroups,
  asOf: timestamp.optional(),
  limit: rowsLimit,
  offset,
})
const changesRequest = z.object({ ...filters, since: timestamp, until: timestamp.optional(), limit, offset })

/** mint.contracts.v1.ReportsService: read only. */
export function createReportsService(queries: ReportQueries, logger: Logger): ReportsService {
  const service: ReportsService = {
    async reportContracts(request) {
      const answer = await queries.sums(validated(reportRequest, request))
      if (answer.type === 'refused') throw refusal(answer)
      const { rows, total, sums } = answer.page
      return { asOf: answer.asOf, rows: rows.map(rowMessage), total, sums: sumsMessage(sums) }
    },

    async listContractChanges(request) {
      const query = validated(changesRequest, request)
      const answer = await queries.changes(query)
      if (answer.type === 'refused') throw refusal(answer)
      const { total, difference } = answer.page
      const changes = answer.changes.map(({ id, before, after, at, by }) => {
        return { contractId: Number(id), before: countedMessage(before), after: countedMessage(after), at, by }
      })
      return { since: query.since, until: answer.until, changes, total, difference: sumsMessage(difference) }
    },
  }
  return codingStoreErrors(service, logger)
}

function refusal({ inTheFuture, endsBeforeItBegins }: RefusedMoments) {
  const code = 'out_of_range' satisfies ViolationCode
  const violations = inTheFuture.map((field) => {
    const orNow = field === 'since' ? '' : ', or leave it out for now'
    return { pointer: `/${field}`, code, message: `In the future. Give a moment in the past${orNow}.` }
  })
  const order = { pointer: '/until', code, message: 'Before since. Give the later moment as until.' }
  return invalidRequest(endsBeforeItBegins ? [...violations, order] : violations)
}

function sumsMessage({ count, amounts }: Sum): ContractSums {
  const { serviceFee = '0', totalFeeWithTax = '0' } = amounts
  return { count, serviceFee, tax: new Big(totalFeeWithTax).minus(serviceFee).toFixed(), totalFeeWithTax }
}

function rowMessage({ group, label, ...sum }: SumsRow): ContractReportRow {
  const { month, clientId, serviceType } = group
  return { month, clientId, displayName: label ?? undefined, serviceType, sums: sumsMessage(sum) }
}

function countedMessage(entry: LedgerEntry | undefined): CountedContract | undefined {
  if (entry === undefined) return undefined
  const { clientId = '', serviceType = '' } = entry.texts
  const { serviceFee = '', taxPercent = '', totalFeeWithTax = '' } = entry.amounts
  return { clientId, serviceType, serviceDate: entry.date, serviceFee, taxPercent, totalFeeWithTax }
}
