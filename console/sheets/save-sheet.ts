import { cellOf, type SheetColumn, type SheetValue } from './cells.ts'

/** One sheet with a heading for each column. */
interface Sheet {
  /** What the sheet is called. */
  readonly title: string
  readonly columns: readonly SheetColumn[]
  /** The values of each row, in the order of the columns. */
  readonly rows: Iterable<readonly SheetValue[]>
  /** How many decimals amounts have in the firm's currency. */
  readonly decimals: number
}

/** As many rows as a browser writes within seconds and a few hundred megabytes; Excel itself accepts a million. */
export const MAX_SHEET_ROWS = 50_000

const [MIN_WIDTH, MAX_WIDTH] = [10, 50]
/** Excel's own limits. */
const [MAX_TITLE_LENGTH, MAX_TEXT_LENGTH] = [31, 32_767]

/** Writes a file for Excel. Its library is loaded when this is first called. */
export async function createSheet({ title, columns, rows, decimals }: Sheet): Promise<Blob> {
  const { default: write } = await import('write-excel-file/universal')
  const widths = columns.map(({ heading }) => heading.length)
  const line = (values: readonly SheetValue[]) =>
    columns.map(({ type }, index) => {
      const value = values[index]
      const text = typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : value
      widths[index] = Math.max(widths[index] ?? 0, String(text ?? '').length)
      return cellOf(text, type, decimals)
    })
  const head = columns.map(({ heading }) => ({ value: heading, type: String, fontWeight: 'bold' as const }))
  return await write([head, ...Array.from(rows, line)], {
    sheet: title.replace(/[[\]/\\:*?]/g, ' ').slice(0, MAX_TITLE_LENGTH),
    stickyRowsCount: 1,
    columns: widths.map((width) => ({ width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width + 2)) })),
  }).toBlob()
}

/** A file's name with its period: `contracts 2026-01-01 to 2026-03-31.xlsx`. */
export function fileNameOf(name: string, { from, to }: Days, ending: 'xlsx' | 'csv'): string {
  const period = from && to ? [from, 'to', to] : from ? ['from', from] : to ? ['to', to] : []
  return `${[name, ...period].join(' ')}.${ending}`
}

interface Days {
  readonly from?: string | undefined
  readonly to?: string | undefined
}
