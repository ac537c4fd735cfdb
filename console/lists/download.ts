import { html, nothing, type TemplateResult } from 'lit-html'
import { Explained } from '../api/problem.ts'
import { amountDecimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { locales, text } from '../languages/texts.ts'
import { createFileSpelling, type FileColumn, type FileSpelling, respelledFile, valuesOf } from '../sheets/csv-table.ts'
import { createSheet, fileNameOf, MAX_SHEET_ROWS } from '../sheets/save-sheet.ts'

/** A CSV file: its path in the API, or what makes it, and its name without the period. */
interface CsvSource {
  readonly path: string | ((signal: AbortSignal) => Promise<Blob>)
  readonly query: Readonly<Record<string, string | undefined>>
  readonly name: string
  readonly sheet: FileSheet
}

/** The spreadsheet that is made of it. */
interface FileSheet {
  readonly title: string
  readonly columns: readonly FileColumn[]
  /** How many rows it will have; undefined: not known yet. */
  readonly rows: number | undefined
}

/** How spreadsheets of this browser's languages read CSV. */
const spelling = createFileSpelling(locales)

/** Saves CSV files of the API, and spreadsheets made of them, one at a time. */
export function createDownload(context: PageContext) {
  const { api, signal, announce } = context
  const saving = createSending(context)

  const fetchFile = ({ path, query }: CsvSource) =>
    typeof path === 'string' ? api.file(path, { query: { ...query, bom: 'true' }, signal }) : path(signal)

  function saveAs(file: Blob, { name, query }: CsvSource, ending: 'csv' | 'xlsx'): void {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = fileNameOf(name, { from: query.serviceDateFrom, to: query.serviceDateTo }, ending)
    link.click()
    // By then the browser has read it.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  }

  async function sheetOf(source: CsvSource): Promise<Blob> {
    const { columns, rows: count = 0, title } = source.sheet
    const rows = []
    if (count <= MAX_SHEET_ROWS) {
      for await (const row of valuesOf(await fetchFile(source), columns)) rows.push(row)
    }
    const all = Math.max(count, rows.length)
    if (all <= MAX_SHEET_ROWS) return createSheet({ title, columns, rows, decimals: amountDecimals() })
    throw new Explained(text('lists.tooManyForExcel', { count: all, most: MAX_SHEET_ROWS }))
  }

  function save(source: CsvSource, ending: 'csv' | 'xlsx', make: () => Promise<Blob>): void {
    void saving.run(async () => {
      saveAs(await make(), source, ending)
      announce(text('lists.saved'))
    })
  }

  return {
    /** `what`: which file it is, for screen readers, where a page has several. */
    button(source: CsvSource, what?: string): TemplateResult {
      const respelled = async (as: FileSpelling) => respelledFile(await fetchFile(source), source.sheet.columns, as)
      const button = (label: string, ending: 'csv' | 'xlsx', make: () => Promise<Blob>) =>
        html`<button type="button" ?disabled=${saving.isRunning()} @click=${() => save(source, ending, make)}>
          ${label}${what && html`<span class="visually-hidden"> ${what}</span>`}
        </button>`
      return html`<div class="downloads" aria-busy=${saving.isRunning()}>
        ${button(text('lists.saveAsExcel'), 'xlsx', () => sheetOf(source))}
        ${button(text('lists.saveAsCsv'), 'csv', () => fetchFile(source))}
        ${spelling ? button(text('lists.saveSpelled'), 'csv', () => respelled(spelling)) : nothing}
      </div>`
    },
    /** What went wrong with the last one. */
    problem: () => saving.view(),
  }
}
