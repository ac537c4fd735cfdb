import { z } from 'zod'
import { toAmount } from '../../shared/fields/decimal.ts'
import type { ReportGroup } from '../../shared/fields/report-fields.ts'
import { formatTimestamp, timestampText } from '../../shared/fields/timestamp.ts'
import type {
  ContractChange,
  ContractLine,
  ContractReportRow,
  ContractSums,
  CountedContract,
  ListContractChangesResponse,
} from '../../shared/gen/mint/contracts/v1/reports.ts'
import { total } from './fields.ts'

const CLIENT = '11111111-1111-1111-1111-111111111111'

const decimal = z.string().regex(/^-?[0-9]+([.][0-9]+)?$/)
const clientId = z.string().meta({ format: 'uuid', description: 'The client, lower case.' })
const serviceType = z.string().meta({ description: 'Category of the service.' })

const differences = {
  count: z.int().meta({ description: 'How many contracts.' }),
  serviceFee: decimal.meta({ description: 'Fees before tax, exact.' }),
  tax: decimal.meta({ description: 'totalFeeWithTax − serviceFee, exact.' }),
  totalFeeWithTax: decimal.meta({ description: 'Fees with tax, exact.' }),
}

const billed = decimal.meta({
  description: 'Each contract’s totalFeeWithTax rounded to cents, half away from zero; sums add up what was rounded.',
})
const sums = { ...differences, billed }

const SUMS = { count: 2, serviceFee: '169.99', tax: '21.139175', totalFeeWithTax: '191.129175', billed: '191.14' }

const sumsShape = z.object(sums).meta({ id: 'ContractSums', examples: [SUMS] })

const groups = {
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .meta({ description: 'Month of the service date.' }),
  clientId,
  displayName: z
    .string()
    .nullable()
    .meta({ description: 'The name of the client’s business then; null when no business was known by this clientId.' }),
  serviceType,
}

/** A row of a report: what it is grouped by, and the sums. */
const rowShape = z
  .object(groups)
  .partial()
  .extend(sums)
  .meta({
    id: 'ContractReportRow',
    examples: [{ month: '2026-01', clientId: CLIENT, displayName: 'École Montréal', ...SUMS }],
  })

/** A page of a report. */
export const reportPage = z
  .object({
    asOf: timestampText.meta({ description: 'The moment of the report.' }),
    rows: z.array(rowShape),
    total,
    sums: sumsShape.meta({ description: 'Over all rows.' }),
  })
  .meta({
    id: 'ContractReport',
    examples: [{ asOf: '2026-02-01T08:00:00.000Z', rows: [{ month: '2026-01', ...SUMS }], total: 1, sums: SUMS }],
  })

/** The columns of the file of a report that is grouped by these, and a row of it. */
export function reportColumns(groupBy: readonly ReportGroup[]) {
  const grouped = groupBy.flatMap((group) => (group === 'clientId' ? ([group, 'displayName'] as const) : [group]))
  const example = { ...Object.fromEntries(grouped.map((name) => [name, EXAMPLES[name]])), ...SUMS }
  return { columns: Object.keys(example), example }
}

const EXAMPLES = { month: '2026-01', clientId: CLIENT, displayName: 'École Montréal', serviceType: 'tax-filing' }

const counted = {
  clientId,
  serviceType,
  serviceDate: z.string().meta({ format: 'date' }),
  serviceFee: decimal,
  taxPercent: decimal,
  totalFeeWithTax: decimal,
}

const COUNTED = {
  clientId: CLIENT,
  serviceType: 'tax-filing',
  serviceDate: '2026-01-31',
  serviceFee: '19.99',
  taxPercent: '8.25',
  totalFeeWithTax: '21.639175',
}
const EDITED = { ...COUNTED, serviceFee: '25', totalFeeWithTax: '27.0625' }
const DIFFERENCE = { count: 0, serviceFee: '5.01', tax: '0.413325', totalFeeWithTax: '5.423325' }

const differenceShape = z.object(differences).meta({ id: 'ContractDifference', examples: [DIFFERENCE] })
const countedShape = z.object(counted).meta({ id: 'CountedContract', examples: [COUNTED] })

const changeShape = z.object({
  contractId: z.int().min(1).meta({ description: 'Number of the contract.' }),
  before: countedShape
    .nullable()
    .meta({ description: 'At `since`; null when it did not exist or did not match the filters.' }),
  after: countedShape.nullable().meta({ description: 'At `until`; null when it does not match the filters.' }),
  at: timestampText.meta({ description: 'When the last event happened that changed any of these fields.' }),
  by: z.string().meta({ description: 'The id of the API key that did it; over gRPC the name that the caller gave.' }),
  byName: z.string().nullable().meta({ description: 'The name of that API key; null when it is unknown.' }),
})

const LINE = {
  contractId: 7,
  version: 1,
  serviceDate: '2026-01-31',
  clientId: CLIENT,
  displayName: 'École Montréal',
  serviceName: 'Sales tax return',
  serviceType: 'tax-filing',
  serviceFee: '19.99',
  taxPercent: '8.25',
  tax: '1.649175',
  totalFeeWithTax: '21.639175',
  billed: '21.64',
}

const ONE = { count: 1, serviceFee: '19.99', tax: '1.649175', totalFeeWithTax: '21.639175', billed: '21.64' }

const lineShape = z
  .object({
    contractId: z.int().min(1).meta({ description: 'Number of the contract.' }),
    version: z.int().min(1).meta({ description: 'The version that it had then.' }),
    serviceDate: counted.serviceDate,
    clientId,
    displayName: groups.displayName,
    serviceName: z.string().meta({ description: 'What was done.' }),
    serviceType,
    serviceFee: decimal,
    taxPercent: decimal,
    tax: sums.tax,
    totalFeeWithTax: decimal,
    billed,
  })
  .meta({ id: 'ContractLine', examples: [LINE] })

/** A page of lines. */
export const reportLinesPage = z
  .object({
    asOf: timestampText.meta({ description: 'The moment of the lines.' }),
    lines: z.array(lineShape),
    total,
    sums: sumsShape.meta({ description: 'Over all lines: those of the report with the same filters and moment.' }),
  })
  .meta({
    id: 'ContractLines',
    examples: [{ asOf: '2026-02-01T08:00:00.000Z', lines: [LINE], total: 1, sums: ONE }],
  })

/** The columns of a file of lines, and a row of it. */
export const lineColumns = { columns: Object.keys(LINE), example: LINE }

/** A page of changes. */
export const reportChangesPage = z
  .object({
    since: timestampText,
    until: timestampText,
    changes: z.array(changeShape),
    total,
    difference: differenceShape.meta({ description: 'The sums at `until` less those at `since`.' }),
  })
  .meta({
    id: 'ContractChangesPage',
    examples: [
      {
        since: '2026-01-31T00:00:00.000Z',
        until: '2026-02-28T00:00:00.000Z',
        changes: [
          {
            contractId: 7,
            before: COUNTED,
            after: EDITED,
            at: '2026-02-01T08:00:00.000Z',
            by: '6fa1c9de-39a5-5a7e-8b5c-d7c1a4b5e601',
            byName: 'Website',
          },
        ],
        total: 1,
        difference: DIFFERENCE,
      },
    ],
  })

/** A row as REST has it; what it isn't grouped by is undefined. */
export function reportRow({
  month,
  clientId: client,
  displayName,
  serviceType: type,
  sums,
}: ContractReportRow): object {
  return {
    month,
    ...(client !== undefined && { clientId: client, displayName: displayName ?? null }),
    serviceType: type,
    ...sumsRecord(sums),
  }
}

/** A row as CSV has it. */
export function reportCells(row: ContractReportRow): object {
  const { count, ...amounts } = presentSums(row.sums)
  const cells = Object.entries(amounts).map(([name, amount]) => [name, toAmount(amount)])
  return { ...reportRow(row), count, ...Object.fromEntries(cells) }
}

/** Sums as REST has them; without `billed` where the service gives none. */
export function sumsRecord(sums: ContractSums | undefined): object {
  const { count, serviceFee, tax, totalFeeWithTax, billed: rounded } = presentSums(sums)
  return { count, serviceFee, tax, totalFeeWithTax, billed: rounded }
}

/** A line as REST has it. */
export function lineRecord(line: ContractLine): object {
  const { contractId, version, serviceDate, clientId: client, displayName = null, serviceName } = line
  const about = { contractId, version, serviceDate, clientId: client, displayName, serviceName }
  return { ...about, serviceType: line.serviceType, ...amountsOf(line) }
}

/** A line as CSV has it. */
export function lineCells(line: ContractLine): object {
  const cells = Object.entries(amountsOf(line)).map(([name, amount]) => [name, toAmount(amount)])
  return { ...lineRecord(line), ...Object.fromEntries(cells) }
}

const amountsOf = ({ serviceFee, taxPercent, tax, totalFeeWithTax, billed: rounded }: ContractLine) => {
  return { serviceFee, taxPercent, tax, totalFeeWithTax, billed: rounded }
}

function presentSums(sums: ContractSums | undefined): ContractSums {
  if (sums === undefined) throw new Error('a service answered without the sums')
  return sums
}

/** A change as REST has it. */
export function changeRecord({ contractId, before, after, at, by }: ContractChange, byName: string | null): object {
  return { contractId, before: countedRecord(before), after: countedRecord(after), at: formatTimestamp(at), by, byName }
}

function countedRecord(of: CountedContract | undefined): object | null {
  if (of === undefined) return null
  const { clientId: client, serviceType: type, serviceDate, serviceFee, taxPercent, totalFeeWithTax } = of
  return { clientId: client, serviceType: type, serviceDate, serviceFee, taxPercent, totalFeeWithTax }
}

/** The moments of a page of changes. */
export const momentsOf = ({ since, until }: ListContractChangesResponse): object => ({
  since: formatTimestamp(since),
  until: formatTimestamp(until),
})
