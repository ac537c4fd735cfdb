import { z } from 'zod'
import type { Violation } from '../../../shared/calls/errors.ts'
import { check, toPointer } from '../../../shared/fields/check.ts'
import type { ColumnRule, Header } from './header.ts'
import { violation } from './violations.ts'

/** A row that can't be created, and why. */
export type InvalidRow = { readonly type: 'invalid'; readonly violations: readonly Violation[] }

/** The rule of a row that creates a record, by the rules of its cells. */
export interface RowRule<Fields> {
  readonly columns: ColumnRule
  /** Checks the cells of a row by the rules of their fields. */
  read(cells: readonly string[], header: Header): { readonly type: 'valid'; readonly fields: Fields } | InvalidRow
}

/** A rule for rows with these cells; `ignored` names the columns that may be there and are not read. */
export function rowRule<Shape extends z.ZodRawShape>(
  cells: Shape,
  ignored: readonly string[],
): RowRule<z.output<z.ZodObject<Shape>>> {
  const schema = z.object(cells)
  const given = Object.keys(cells)
  const required = given.filter((name) => !(cells[name] as z.ZodType).safeParse(undefined).success)
  return {
    columns: { given, ignored, required: required.map((name) => [name]) },
    read(texts, header) {
      if (texts.length !== header.columns.length) return invalid([otherNumberOfCells(texts, header)])
      const checked = check(schema, fieldsOf(texts, header))
      if (checked.type === 'valid') return { type: 'valid', fields: checked.value }
      return invalid(checked.violations.filter(({ pointer }) => !isMissing(pointer, header)))
    },
  }
}

const invalid = (violations: readonly Violation[]) => ({ type: 'invalid', violations }) as const

/** The texts in a row, by field: an empty cell is left out. */
export function fieldsOf(cells: readonly string[], { columns }: Header): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [index, name] of columns.entries()) {
    const cell = cells[index]
    if (name !== undefined && cell) fields[name] = unguarded(cell)
  }
  return fields
}

/** Without the apostrophe that an export puts before what a spreadsheet would take for a formula. */
const unguarded = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell)

const isMissing = (pointer: string, { missing }: Header): boolean =>
  [...missing].some((name) => toPointer([name]) === pointer)

function otherNumberOfCells(cells: readonly string[], { columns }: Header): Violation {
  const message = `Has ${cells.length} cells, but the header has ${columns.length}. Put a text with a separator in quotes, or complete the row.`
  return violation('', 'malformed_csv', message)
}
