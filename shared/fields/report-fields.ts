import { z } from 'zod'
import type { ContractReportRow, ReportContractsRequest } from '../gen/mint/contracts/v1/reports.ts'
import { calendarDate } from './calendar-date.ts'
import { contractFields } from './contract-fields.ts'
import { uuidLike } from './identifiers.ts'
import { typeMessage, type ViolationCode, violate } from './rule.ts'

/** What reports can be grouped by. */
export const REPORT_GROUPS = [
  'month',
  'clientId',
  'serviceType',
] as const satisfies readonly (keyof ContractReportRow)[]
export type ReportGroup = (typeof REPORT_GROUPS)[number]

/** Which contracts are added up: texts of the ledger, and the days of the services. */
export const reportFilters = {
  clientId: uuidLike.optional().meta({ description: 'Only contracts of this client.' }),
  serviceType: contractFields.serviceType.rule
    .optional()
    .meta({ description: 'Only contracts of exactly this service type.' }),
  serviceDateFrom: calendarDate.optional().meta({ description: 'Only contracts of this service date or later.' }),
  serviceDateTo: calendarDate.optional().meta({ description: 'Only contracts of this service date or earlier.' }),
} satisfies Readonly<Record<Exclude<keyof ReportContractsRequest, 'groupBy' | 'asOf' | 'limit' | 'offset'>, z.ZodType>>

const MAX_GROUPS = 2
const EXPECTED = `one or two of ${REPORT_GROUPS.join(', ')}, each once and without spaces`

/** What a report is grouped by, in a message; an empty list: nothing. */
export const reportGroups = z
  .array(z.string(), { error: typeMessage(EXPECTED) })
  .transform((names, context) => checked(names, context))

/** What a report is grouped by, as a query parameter, separated by commas. */
export const reportGroupsText = z
  .string({ error: typeMessage(`${EXPECTED}, separated by a comma`) })
  .meta({ pattern: pattern() })
  .transform((text, context) => checked(text.split(','), context))

function checked(names: readonly string[], context: z.core.$RefinementCtx): readonly ReportGroup[] {
  const groups = REPORT_GROUPS.filter((name) => names.includes(name))
  const problem = problemOf(names, groups)
  if (problem !== undefined) violate(context, problem, `Not a grouping. Give ${EXPECTED}.`)
  return names as readonly ReportGroup[]
}

function problemOf(names: readonly string[], groups: readonly ReportGroup[]): ViolationCode | undefined {
  if (names.some((name) => !groups.includes(name as ReportGroup))) return 'not_allowed'
  if (groups.length < names.length) return 'given_twice'
  return names.length > MAX_GROUPS ? 'out_of_range' : undefined
}

/** A regular expression for all valid groupings. */
function pattern(): string {
  const pairs = REPORT_GROUPS.flatMap((one) =>
    REPORT_GROUPS.filter((other) => other !== one).map((other) => `${one},${other}`),
  )
  return `^(${[...REPORT_GROUPS, ...pairs].join('|')})$`
}
