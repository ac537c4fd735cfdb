import { withApostrophe } from '../csv/cells.ts'
import type { Field } from '../fields/fields.ts'
import { clientIdIn, type FieldProblems, readTexts, type Texts } from '../fields/texts.ts'
import { isDay } from '../format/calendar.ts'
import { type Decimals, sumOf, totalWithTax } from '../format/decimals.ts'
import { decimals as usersDecimals } from '../format/formats.ts'
import { SHORT_YEAR } from '../import/spelling.ts'
import { text } from '../languages/texts.ts'
import { typeInto, type WithProposals } from '../records/proposals.ts'

/** A new contract as it is typed into a row. */
export interface Row extends WithProposals {
  readonly id: number
  /** The pasted name of a client that isn't identified yet; '' for none. */
  readonly client: string
}

/** A row as the API accepts it, and what is wrong with it. */
export interface ReadRow {
  /** By field, as in a CSV file. */
  readonly cells: Texts
  readonly problems: FieldProblems
  /** '0' while it can't be read. */
  readonly fee: string
  /** With tax, exact and as it is billed. */
  readonly total: string
  readonly billed: string
}

/** Whether a row is empty except for a date, which new rows have already. */
export function isBlank({ texts, client }: Row): boolean {
  return client === '' && Object.entries(texts).every(([name, typed]) => name === 'serviceDate' || typed.trim() === '')
}

/** A row with a text typed into one of its cells. */
export function typed(row: Row, name: string, text: string): Row {
  return { ...row, ...typeInto(row, name, text), client: name === 'clientId' ? '' : row.client }
}

/** A row with cells pasted into it. A client may be pasted by its id, or by a name that is to be found. */
export function pastedInto(row: Row, { clientId: client = '', ...texts }: Texts): Row {
  const next = Object.entries(texts).reduce((one, [name, text]) => typed(one, name, text), row)
  if (client === '') return next
  const clientId = clientIdIn(client)
  return { ...typed(next, 'clientId', clientId), client: clientId === '' ? client : '' }
}

/** Reads what is typed in a row. */
export function readRow({ texts, client }: Row, fields: readonly Field[], decimals: Decimals = usersDecimals): ReadRow {
  const { clientId = '', serviceDate = '', serviceFee = '', taxPercent = '' } = texts
  const { values, problems } = readTexts(fields, texts, { before: undefined, decimals })
  const { clientId: clientProblem, ...others } = problems
  const isDate = serviceDate === '' || isDay(serviceDate)
  const [fee = '0', tax = '0'] = [decimals.read(serviceFee), decimals.read(taxPercent)]
  const total = totalWithTax(fee, tax)
  return {
    cells: Object.fromEntries(
      Object.entries({ ...values, client: clientId === '' ? client : '' }).map(([name, value]) => [
        name,
        cellOf(value),
      ]),
    ),
    problems: {
      ...others,
      ...(clientProblem !== undefined && client === '' && { clientId: clientProblem }),
      ...(!isDate && { serviceDate: dateProblem(serviceDate) }),
    },
    fee,
    total,
    billed: decimals.billed(total),
  }
}

function dateProblem(date: string): string {
  const problem = text('grid.notADate', { date })
  return SHORT_YEAR.test(date) ? `${problem} ${text('fields.twoDigitYear')}` : problem
}

const cellOf = (value: unknown): string => (typeof value === 'string' ? withApostrophe(value) : JSON.stringify(value))

/** What rows add up to, as far as they can be read. */
export function addUpRows(rows: readonly ReadRow[]): Pick<ReadRow, 'fee' | 'total' | 'billed'> {
  const sum = (name: 'fee' | 'total' | 'billed') => sumOf(rows.map((row) => row[name]))
  return { fee: sum('fee'), total: sum('total'), billed: sum('billed') }
}
