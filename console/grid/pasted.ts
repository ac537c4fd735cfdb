import type { Field } from '../fields/fields.ts'
import type { Texts } from '../fields/texts.ts'
import type { Decimals } from '../format/decimals.ts'
import { areNames, guessMapping } from '../import/columns.ts'
import { createTallies, type Evidence, spellingOf } from '../import/evidence.ts'
import { type Notation, respell } from '../import/spelling.ts'

/** The cells that a spreadsheet puts into the clipboard, by row. */
export function cellsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.replace(/(\r\n?|\n)$/, '').matchAll(CELL)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '') break
    if (end !== '\t') rows.push([])
  }
  return rows
}

/** Spreadsheets quote cells with tabs, line breaks and quotes; on a Mac, some end rows in CR. */
const CELL = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n?|\n|$)/gy

export interface PasteOptions {
  readonly fields: readonly Field[]
  /** The index of the field that is pasted into, unless a header names the fields. */
  readonly first: number
  readonly notationOf: (kind: Field['kind']) => Notation | undefined
  /** How the user's language writes. */
  readonly habits: Pick<Evidence, 'mark' | 'dateOrder'>
  readonly decimals: Pick<Decimals, 'input' | 'readings'>
}

/** Pasted rows by field, without empty cells. */
export function pastedTexts(rows: readonly (readonly string[])[], options: PasteOptions): readonly Texts[] {
  const { fields, first, decimals } = options
  const [header = []] = rows
  const hasHeader = areNames(header, fields, decimals)
  const named = guessMapping(header, fields).map((name) => fields.find((field) => field.name === name))
  const columns = hasHeader ? named : fields.slice(first)
  const shown = hasHeader ? rows.slice(1) : rows
  const texts: Record<string, string>[] = shown.map(() => ({}))
  for (const [index, field] of columns.entries()) {
    const cells = shown.map((cells) => cells[index]?.trim() ?? '')
    for (const [row, text] of field ? asTyped(cells, field, options).entries() : []) {
      if (field && text !== '') Object.assign(texts[row] ?? {}, { [field.name]: text })
    }
  }
  return texts
}

/**
 * The cells of a column as somebody would type them. Numbers and dates are read as the column writes them if its cells
 * leave no doubt, or else as the user's language does: the clipboard has what a spreadsheet shows in that language.
 */
function asTyped(cells: readonly string[], { kind }: Field, options: PasteOptions): readonly string[] {
  const notation = options.notationOf(kind)
  if (!notation) return cells
  const { mark, dateOrder } = options.habits
  const tallies = createTallies([notation])
  for (const cell of cells) tallies.see(cell, 0)
  const evidence = { ...options.habits, delimiter: mark === ',' ? (';' as const) : (',' as const) }
  const certain = spellingOf({ notation, tally: tallies.of(0, notation) }, [], evidence)
  const spelling = certain ?? (notation.type === 'dates' ? dateOrder : mark)
  return cells.map((cell) => {
    if (spelling === undefined || cell === '') return cell
    const { text, problem } = respell(cell, notation, spelling)
    if (problem !== undefined) return cell
    return notation.type === 'dates' ? text.slice(0, 10) : options.decimals.input(text)
  })
}
