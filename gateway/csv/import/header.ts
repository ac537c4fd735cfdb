import type { Violation } from '../../../shared/calls/errors.ts'
import { toPointer } from '../../../shared/fields/check.ts'
import { grouped } from '../../../shared/fields/rule.ts'
import { UnreadableCsv } from './parse.ts'
import { violation } from './violations.ts'

/** Which columns a file may have. */
export interface ColumnRule {
  /** The fields that a row can give. */
  readonly given: readonly string[]
  /** Fields that the service sets: ignored, so that an exported file can be sent back. */
  readonly ignored: readonly string[]
  /** Each of these groups needs at least one column. */
  readonly required: readonly (readonly string[])[]
}

/** What the cells of a row mean, in their order. */
export interface Header {
  /** The field that each column gives; undefined: it is ignored. */
  readonly columns: readonly (string | undefined)[]
  /** Fields that every row lacks: reported once, for the header. */
  readonly missing: ReadonlySet<string>
  readonly violations: readonly Violation[]
}

/** Reads the first record of a file; undefined: it is empty. Throws UnreadableCsv if it is not a header. */
export function readHeader(cells: readonly string[] = [], rule: ColumnRule): Header {
  checkIsHeader(cells)
  const violations: Violation[] = []
  const seen = new Set<string>()
  const columns = cells.map((name) => {
    const isKnown = rule.given.includes(name) || rule.ignored.includes(name)
    if (!isKnown) violations.push(unknownColumn(name, rule))
    else if (seen.has(name)) violations.push(repeatedColumn(name))
    seen.add(name)
    return rule.given.includes(name) ? name : undefined
  })
  const missing = rule.required.filter((group) => !group.some((name) => seen.has(name)))
  const intended = new Set(cells.map((name) => intendedField(name, rule)))
  return {
    columns,
    missing: new Set(missing.flat()),
    violations: [
      ...violations,
      ...missing.filter((group) => !group.some((name) => intended.has(name))).map(missingColumn),
    ],
  }
}

/** More would block other requests for a second while each is compared with the fields. */
const MAX_COLUMNS = 1_000

/** With one of these in place of a header, every row would seem wrong. */
function checkIsHeader(cells: readonly string[]): void {
  const [first = ''] = cells
  if (cells.length > MAX_COLUMNS) throw new UnreadableCsv(1, 'malformed_csv', TOO_MANY_COLUMNS)
  if (/^sep=/i.test(first)) throw new UnreadableCsv(1, 'malformed_csv', SEPARATOR_LINE)
  if (cells.length === 1 && first.includes('\t')) throw new UnreadableCsv(1, 'malformed_csv', TABS)
}

const TOO_MANY_COLUMNS = `The first line has more than ${grouped(MAX_COLUMNS)} columns. Remove all that don’t name a field.`
const SEPARATOR_LINE =
  'The first line only declares the separator, as some spreadsheets write it. Remove it: the first line must name the columns.'
const TABS = 'The columns are separated by tabs. Save the file with commas or semicolons between them.'

/** The field whose name is the same apart from case and surrounding white space. */
function intendedField(name: string, { given }: ColumnRule): string | undefined {
  return given.find((field) => field.toLowerCase() === name.trim().toLowerCase())
}

function unknownColumn(name: string, rule: ColumnRule): Violation {
  const field = intendedField(name, rule)
  if (field !== undefined) {
    const message = `There is no field of exactly this name. Write it as ${field}: case and white space count.`
    return violation(toPointer([name]), 'unknown_field', message)
  }
  const message = `There is no field of this name. Remove the column, or name it one of: ${rule.given.join(', ')}.`
  return violation(toPointer([name]), 'unknown_field', message)
}

function repeatedColumn(name: string): Violation {
  return violation(toPointer([name]), 'given_twice', 'Two columns have this name. Remove one of them.')
}

function missingColumn(group: readonly string[]): Violation {
  const message = `The column is missing. Add a column named ${group.join(' or ')} to the first line.`
  return violation(toPointer([group[0] ?? '']), 'required', message)
}
