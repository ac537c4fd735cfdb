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
  ContractLine,
  ContractReportRow,
  ContractSums,
  CountedContract,
  ReportsService,
} from '../../../shared/gen/mint/contracts/v1/reports.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import { BILLED, type RefusedMoments, type ReportLine, type ReportQueries } from '../report/queries.ts'

const filters = {
  clientId: uuidLike.optional(),
  serviceType: contractFields.serviceType.rule.optional(),
  serviceDateFrom: calendarDate.optional(),
  serviceDateTo: calendarDate.optional(),
}
const linesRequest = z.object({ ...filters, asOf: timestamp.optional(), limit: rowsLimit, offset })
const reportRequest = linesRequest.extend({ groupBy: reportGroups })
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

    async listContractLines(request) {
      const answer = await queries.lines(validated(linesRequest, request))
      if (answer.type === 'refused') throw refusal(answer)
      const { total, sums } = answer.page
      return { asOf: answer.asOf, lines: answer.lines.map(lineMessage), total, sums: sumsMessage(sums) }
    },

    async listContractChanges(request) {
      const query = validated(changesRequest, request)
      const answer = await queries.changes(query)
      if (answer.type === 'refused') throw refusal(answer)
      const { total, difference } = answer.page
      const changes = answer.changes.map(({ id, before, after, at, by }) => {
        return {
          contractId: Number(id),
          before: before && countedMessage(before),
          after: after && countedMessage(after),
          at,
          by,
        }
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
  const { serviceFee = '0', totalFeeWithTax = '0', billed } = amounts
  return { count, serviceFee, tax: taxOf(totalFeeWithTax, serviceFee), totalFeeWithTax, billed }
}

const taxOf = (totalFeeWithTax: string, serviceFee: string): string =>
  new Big(totalFeeWithTax).minus(serviceFee).toFixed()

function rowMessage({ group, label, ...sum }: SumsRow): ContractReportRow {
  const { month, clientId, serviceType } = group
  return { month, clientId, displayName: label ?? undefined, serviceType, sums: sumsMessage(sum) }
}

function lineMessage({ id, version, label, serviceName, entry }: ReportLine): ContractLine {
  const counted = countedMessage(entry)
  const { serviceFee, totalFeeWithTax } = counted
  const tax = taxOf(totalFeeWithTax, serviceFee)
  const billed = new Big(totalFeeWithTax).round(BILLED.decimals, Big.roundHalfUp).toFixed()
  return { contractId: Number(id), version, ...counted, displayName: label ?? undefined, serviceName, tax, billed }
}

function countedMessage(entry: LedgerEntry): CountedContract {
  const { clientId = '', serviceType = '' } = entry.texts
  const { serviceFee = '', taxPercent = '', totalFeeWithTax = '' } = entry.amounts
  return { clientId, serviceType, serviceDate: entry.date, serviceFee, taxPercent, totalFeeWithTax }
}
