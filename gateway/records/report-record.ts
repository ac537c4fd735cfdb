import { z } from 'zod'
import { toAmount } from '../../shared/fields/decimal.ts'
import {
  recordExampleOf,
  recordShapeOf,
  type ShownTable,
  toCellsBy,
  toRecordBy,
} from '../../shared/fields/field-table.ts'
import type { ReportGroup } from '../../shared/fields/report-fields.ts'
import { formatTimestamp, timestampText } from '../../shared/fields/timestamp.ts'
import type {
  ContractChange,
  ContractLine,
  ContractReportRow,
  ContractSums,
  CountedContract,
} from '../../shared/gen/mint/contracts/v1/reports.ts'
import { columnsOf } from '../csv/columns.ts'
import { present } from '../routes/answer.ts'
import { author, authorName, total } from './fields.ts'

const CLIENT = '11111111-1111-1111-1111-111111111111'

const decimal = z.string().regex(/^-?[0-9]+([.][0-9]+)?$/)
const BILLED =
  'Each contract’s totalFeeWithTax rounded to the decimals of the firm’s currency then, half away from zero; sums add up what was rounded.'
const TAX = 'totalFeeWithTax − serviceFee, exact. The tax on the bills is billed − serviceFee.'

const amount = (example: string, description?: string) => {
  return { shown: description === undefined ? decimal : decimal.meta({ description }), toCell: toAmount, example }
}

/** What a group of contracts adds up to. */
export const sumsFields = {
  count: { shown: z.int().meta({ description: 'How many contracts.' }), example: 2 },
  serviceFee: amount('169.99', 'Fees before tax, exact.'),
  tax: amount('21.139175', TAX),
  totalFeeWithTax: amount('191.129175', 'Fees with tax, exact.'),
  billed: amount('191.14', BILLED),
} satisfies ShownTable<Required<ContractSums>>
const sumsShape = recordShapeOf(sumsFields, 'ContractSums')
const SUMS = recordExampleOf(sumsFields)

/** What contracts are grouped by. */
const groups = {
  month: {
    shown: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ description: 'Month of the service date.' }),
    example: '2026-01',
  },
  clientId: {
    shown: z.string().meta({ format: 'uuid', description: 'The client, lower case.' }),
    example: CLIENT,
  },
  displayName: {
    shown: z.string().nullable().meta({
      description: 'The name of the client’s business then; null when no business was known by this clientId.',
    }),
    example: 'École Montréal',
  },
  serviceType: { shown: z.string().meta({ description: 'Category of the service.' }), example: 'tax-filing' },
} satisfies ShownTable<Omit<ContractReportRow, 'sums'>>

/** A row of a report: what it is grouped by, and the sums. */
const rowShape = z
  .object(Object.fromEntries(Object.entries(groups).map(([name, { shown }]) => [name, shown.optional()])))
  .extend(sumsShape.shape)
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
  const example = { ...Object.fromEntries(grouped.map((name) => [name, groups[name].example])), ...SUMS }
  return { columns: Object.keys(example), example }
}

const countedFields = {
  clientId: groups.clientId,
  serviceType: groups.serviceType,
  serviceDate: { shown: z.string().meta({ format: 'date' }), example: '2026-01-31' },
  serviceFee: amount('19.99'),
  taxPercent: amount('8.25'),
  totalFeeWithTax: amount('21.639175'),
} satisfies ShownTable<CountedContract>
const countedShape = recordShapeOf(countedFields, 'CountedContract')
const COUNTED = recordExampleOf(countedFields)
const EDITED = { ...COUNTED, serviceFee: '25', totalFeeWithTax: '27.0625' }
const DIFFERENCE = { count: 0, serviceFee: '5.01', tax: '0.413325', totalFeeWithTax: '5.423325' }
const differenceShape = z
  .object(sumsShape.shape)
  .omit({ billed: true })
  .meta({ id: 'ContractDifference', examples: [DIFFERENCE] })

const changeShape = z.object({
  contractId: z.int().min(1).meta({ description: 'Number of the contract.' }),
  before: countedShape
    .nullable()
    .meta({ description: 'At `since`; null when it did not exist or did not match the filters.' }),
  after: countedShape.nullable().meta({ description: 'At `until`; null when it does not match the filters.' }),
  at: timestampText.meta({ description: 'When the last event happened that changed any of these fields.' }),
  by: author,
  byName: authorName,
})

const lineFields = {
  contractId: { shown: z.int().min(1).meta({ description: 'Number of the contract.' }), example: 7 },
  version: { shown: z.int().min(1).meta({ description: 'The version that it had then.' }), example: 1 },
  serviceDate: countedFields.serviceDate,
  clientId: groups.clientId,
  displayName: groups.displayName,
  serviceName: { shown: z.string().meta({ description: 'What was done.' }), example: 'Sales tax return' },
  serviceType: groups.serviceType,
  serviceFee: countedFields.serviceFee,
  taxPercent: countedFields.taxPercent,
  tax: amount('1.649175', TAX),
  totalFeeWithTax: countedFields.totalFeeWithTax,
  billed: amount('21.64', BILLED),
} satisfies ShownTable<ContractLine> & Readonly<Record<'version', unknown>>
const lineShape = recordShapeOf(lineFields, 'ContractLine')
const LINE = recordExampleOf(lineFields)
const ONE = { count: 1, serviceFee: '19.99', tax: '1.649175', totalFeeWithTax: '21.639175', billed: '21.64' }

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

/** The columns of a file of lines. */
export const lineColumns = columnsOf(lineFields)

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

/** A row as REST shows it; what the report isn't grouped by is undefined. */
export function reportRow(row: ContractReportRow): object {
  return { ...groupOf(row), ...sumsRecord(row.sums) }
}

/** A row as CSV shows it. */
export function reportCells(row: ContractReportRow): object {
  return { ...groupOf(row), ...toSumsCells(present(row.sums)) }
}

const toGroup = toRecordBy<object>(groups)

function groupOf(row: ContractReportRow): object {
  return toGroup({ ...row, displayName: row.clientId === undefined ? undefined : (row.displayName ?? null) })
}

const toSums = toRecordBy<ContractSums>(sumsFields)
const toSumsCells = toCellsBy<ContractSums>(sumsFields)

/** Sums as REST shows them; without `billed` where the service gives none. */
export const sumsRecord = (sums: ContractSums | undefined): object => toSums(present(sums))

const toLine = toRecordBy<object>(lineFields)

/** A line as REST shows it. */
export const lineRecord = (line: ContractLine): object => toLine({ ...line, displayName: line.displayName ?? null })

const toCounted = toRecordBy<CountedContract>(countedFields)

/** A change as REST shows it. */
export function changeRecord({ contractId, before, after, at, by }: ContractChange, byName: string | null): object {
  const sides = { before: before ? toCounted(before) : null, after: after ? toCounted(after) : null }
  return { contractId, ...sides, at: formatTimestamp(at), by, byName }
}
