import Big from 'big.js'
import { z } from 'zod'
import { mapInGroups } from '../../../shared/async/map-in-groups.ts'
import type { Violation } from '../../../shared/calls/errors.ts'
import { stateAt } from '../../../shared/event-sourcing/past-states.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type {
  LedgerEntry,
  LedgerFilter,
  LedgerLine,
  Rounding,
  Sum,
  SumsRow,
} from '../../../shared/event-sourcing/ports/ledger.ts'
import { invalidRequest, validated } from '../../../shared/fields/check.ts'
import { limit, offset, rowsLimit } from '../../../shared/fields/lists.ts'
import { reportFilters, reportGroups } from '../../../shared/fields/report-fields.ts'
import type { ViolationCode } from '../../../shared/fields/rule.ts'
import { timestamp } from '../../../shared/fields/timestamp.ts'
import type {
  ContractLine,
  ContractReportRow,
  ContractSums,
  CountedContract,
  ReportsService,
} from '../../../shared/gen/mint/contracts/v1/reports.ts'
import { clientsView } from '../client/view.ts'
import { contractsView } from '../contract/view.ts'
import type { FirmRecord } from '../firm/firm.ts'
import { billed, billedIn } from '../report/billed.ts'
import type { ReportClock } from '../report/report-clock.ts'

const linesRequest = z.object({ ...reportFilters, asOf: timestamp.optional(), limit: rowsLimit, offset })
const reportRequest = linesRequest.extend({ groupBy: reportGroups })
const changesRequest = z.object({ ...reportFilters, since: timestamp, until: timestamp.optional(), limit, offset })

/** How many contracts are read concurrently: some events of each are in memory. On MongoDB each group waits for the log. */
const LINES_AT_ONCE = 64

const LABELLED = { text: 'clientId', view: clientsView.name } as const

/** mint.contracts.v1.ReportsService: adds up the contracts in one database; read-only. */
export function createReportsService(
  { view, events }: Pick<Database, 'view' | 'events'>,
  clock: ReportClock,
  firm: Pick<FirmRecord, 'currencyAt'>,
): ReportsService {
  const contracts = view(contractsView)
  const { ledger } = contracts

  async function ledgerQuery({ asOf: given, limit, offset, ...filter }: z.output<typeof linesRequest>) {
    throwIfAny(await futureMoments(clock, { asOf: given }))
    const asOf = given ?? (await clock.now())
    const rounded = billedIn(await firm.currencyAt(asOf))
    return { asOf, rounded, labelled: LABELLED, limit, offset, ...ledgerFilter(filter) }
  }

  async function lineMessage(line: LedgerLine, { decimals }: Rounding): Promise<ContractLine> {
    const { id, version, label, entry } = line
    const { serviceName } = await stateAt({ events, view: contracts }, id, version)
    const counted = countedMessage(entry)
    const { serviceFee, totalFeeWithTax } = counted
    const tax = taxOf(totalFeeWithTax, serviceFee)
    const amounts = { tax, billed: billed(totalFeeWithTax, decimals) }
    return { contractId: Number(id), version, ...counted, displayName: label ?? undefined, serviceName, ...amounts }
  }

  return {
    async reportContracts(request) {
      const { groupBy, ...report } = validated(reportRequest, request)
      const query = await ledgerQuery(report)
      const { rows, total, sums } = await ledger.sums({ ...query, groupBy })
      return { asOf: query.asOf, rows: rows.map(rowMessage), total, sums: sumsMessage(sums) }
    },

    async listContractLines(request) {
      const query = await ledgerQuery(validated(linesRequest, request))
      const { lines, total, sums } = await ledger.lines(query)
      const messages = await mapInGroups(lines, LINES_AT_ONCE, (line) => lineMessage(line, query.rounded))
      return { asOf: query.asOf, lines: messages, total, sums: sumsMessage(sums) }
    },

    async listContractChanges(request) {
      const { since, until: given, limit, offset, ...filter } = validated(changesRequest, request)
      const wrong = await futureMoments(clock, { since, until: given })
      const isOrdered = given === undefined || given >= since
      throwIfAny(isOrdered ? wrong : [...wrong, outOfRange('/until', 'Before since. Give the later moment as until.')])
      const until = given ?? (await clock.now())
      const page = await ledger.changes({ since, until, limit, offset, ...ledgerFilter(filter) })
      const changes = page.changes.map(async ({ id, version, before, after, at }) => ({
        contractId: Number(id),
        before: before && countedMessage(before),
        after: after && countedMessage(after),
        at,
        by: await authorOf(events, id, version),
      }))
      const { total, difference } = page
      return { since, until, changes: await Promise.all(changes), total, difference: sumsMessage(difference) }
    },
  }
}

/** A violation for each of these moments that is in the future. */
async function futureMoments(
  clock: ReportClock,
  moments: Readonly<Record<string, number | undefined>>,
): Promise<Violation[]> {
  const wrong: Violation[] = []
  for (const [name, moment] of Object.entries(moments)) {
    if (moment === undefined || (await clock.hasPassed(moment))) continue
    const orNow = name === 'since' ? '' : ', or leave it out for now'
    wrong.push(outOfRange(`/${name}`, `In the future. Give a moment in the past${orNow}.`))
  }
  return wrong
}

async function authorOf(events: Database['events'], id: string, version: number): Promise<string> {
  const stream = { category: contractsView.category, id }
  const [event] = await events.readStream(stream, { afterVersion: version - 1, upToVersion: version })
  if (event === undefined) throw new Error(`The log has no version ${version} of contract ${id}.`)
  return event.by
}

const outOfRange = (pointer: string, message: string): Violation => {
  return { pointer, code: 'out_of_range' satisfies ViolationCode, message }
}

function throwIfAny(violations: readonly Violation[]): void {
  if (violations.length > 0) throw invalidRequest(violations)
}

type Filter = Pick<z.output<typeof linesRequest>, keyof typeof reportFilters>

function ledgerFilter({ serviceDateFrom: from, serviceDateTo: to, ...where }: Filter): LedgerFilter {
  return { where, from, to }
}

/** The message of a sum. */
export function sumsMessage({ count, amounts }: Sum): ContractSums {
  const { serviceFee = '0', totalFeeWithTax = '0', billed } = amounts
  return { count, serviceFee, tax: taxOf(totalFeeWithTax, serviceFee), totalFeeWithTax, billed }
}

const taxOf = (totalFeeWithTax: string, serviceFee: string): string =>
  new Big(totalFeeWithTax).minus(serviceFee).toFixed()

function rowMessage({ group, label, ...sum }: SumsRow): ContractReportRow {
  return { ...group, displayName: label ?? undefined, sums: sumsMessage(sum) }
}

function countedMessage(entry: LedgerEntry): CountedContract {
  const { clientId = '', serviceType = '' } = entry.texts
  const { serviceFee = '', taxPercent = '', totalFeeWithTax = '' } = entry.amounts
  return { clientId, serviceType, serviceDate: entry.date, serviceFee, taxPercent, totalFeeWithTax }
}
