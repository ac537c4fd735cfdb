import { html, type TemplateResult } from 'lit-html'
import { type ClientBox, createClientBox } from '../fields/client-box.ts'
import type { ClientNames } from '../fields/client-names.ts'
import type { Field } from '../fields/fields.ts'
import { showInput } from '../fields/input.ts'
import { showAmount } from '../fields/show.ts'
import type { FieldProblems } from '../fields/texts.ts'
import { isDay } from '../format/calendar.ts'
import { focusSoon } from '../frame/focus.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import type { Column } from '../lists/table.ts'
import type { GridRows } from './grid-rows.ts'
import { isBlank, type Row } from './rows.ts'

interface CellsOptions {
  readonly fields: readonly Field[]
  readonly rows: GridRows
  readonly names: ClientNames
  readonly problemsOf: (row: Row) => FieldProblems
}

/** The id of the input of a cell. */
export const cellId = ({ id }: Row, name: string): string => `cell-${id}-${name}`

/** The cells of the grid. */
export function createCells({ fields, rows, names, problemsOf }: CellsOptions, context: PageContext) {
  const boxes = new Map<number, ClientBox>()
  /** The id of the only cell with suggestions: hundreds of rows with a thousand each would be too much. */
  let suggestsIn = ''

  function boxOf({ id }: Row): ClientBox {
    const box = boxes.get(id) ?? createClientBox(context, names)
    boxes.set(id, box)
    return box
  }

  function cell(field: Field, row: Row, index: number): TemplateResult {
    const { name, kind } = field
    const { [name]: value = '' } = row.texts
    const id = cellId(row, name)
    const changed = (typed: string) => rows.type(row.id, name, typed)
    return showInput(field, {
      cell: { id, label: text('grid.cell', { field: field.label, row: index + 1 }) },
      // Browsers accept no other text for a date.
      value: kind === 'date' && !isDay(value) ? '' : value,
      problem: problemsOf(row)[name] ?? '',
      changed,
      clientBox: boxOf(row),
      clientText: row.client,
      isNew: true,
      suggestions: suggestsIn === id ? rows.assistance.suggestionsFor(field, row) : [],
      remark: rows.assistance.remarkOn(field, row, changed),
      isProposed: name in row.proposed,
    })
  }

  const remove = ({ id }: Row, index: number) =>
    html`<button type="button" aria-label=${text('grid.removeRow', { row: index + 1 })} @click=${() => rows.remove(id)}>×</button>`

  return {
    columns: [
      ...fields.map(
        (field): Column<Row> => [
          field.label,
          (row, index) => cell(field, row, index),
          `${field.kind} of-${field.name}`,
        ],
      ),
      [
        text('field.totalFeeWithTax'),
        (row: Row) => (isBlank(row) ? '' : showAmount(rows.read(row).total)),
        'amount total',
      ],
      [text('grid.remove'), remove, 'remove'],
    ] satisfies readonly Column<Row>[],
    /** The indexes of the row and the field in which an event happens; -1: in none. */
    at({ target }: Event): readonly [row: number, field: number] {
      const [, row, name] = (target as HTMLElement).id.split('-')
      return [rows.all().findIndex(({ id }) => String(id) === row), fields.findIndex((field) => field.name === name)]
    },
    /** Goes to a cell, if there is such a row. */
    focus: (row: Row | undefined, field: Field | undefined) => row && focusSoon(`#${cellId(row, field?.name ?? '')}`),
    focused({ target }: Event): void {
      suggestsIn = (target as HTMLElement).id
      context.update()
    },
  }
}
