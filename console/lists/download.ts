import { html, nothing, type TemplateResult } from 'lit-html'
import { amountDecimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { locales, text } from '../languages/texts.ts'
import { type FileColumn, type FileSpelling, respelledFile, valuesOf } from '../sheets/csv-table.ts'
import { createFileSpelling } from '../sheets/file-spelling.ts'
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
  let tooMany: number | undefined

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

  /** undefined: there are too many rows. */
  async function sheetOf(source: CsvSource): Promise<Blob | undefined> {
    const { columns, rows: count = 0, title } = source.sheet
    const rows = []
    if (count <= MAX_SHEET_ROWS) {
      for await (const row of valuesOf(await fetchFile(source), columns)) rows.push(row)
    }
    const all = Math.max(count, rows.length)
    tooMany = all > MAX_SHEET_ROWS ? all : undefined
    return tooMany === undefined ? createSheet({ title, columns, rows, decimals: amountDecimals() }) : undefined
  }

  function save(source: CsvSource, ending: 'csv' | 'xlsx', make: () => Promise<Blob | undefined>): void {
    tooMany = undefined
    void saving.run(async () => {
      const file = await make()
      if (file === undefined) return
      saveAs(file, source, ending)
      announce(text('lists.saved'))
    })
  }

  return {
    /** `what`: which file it is, for screen readers, where a page has several. */
    button(source: CsvSource, what?: string): TemplateResult {
      const respelled = async (as: FileSpelling) => respelledFile(await fetchFile(source), source.sheet.columns, as)
      const button = (label: string, ending: 'csv' | 'xlsx', make: () => Promise<Blob | undefined>) =>
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
    problem: () => (tooMany === undefined ? saving.view() : showTooMany(tooMany)),
  }
}

function showTooMany(rows: number): TemplateResult {
  const said = text('lists.tooManyForExcel', { count: rows, most: MAX_SHEET_ROWS })
  return html`<div class="problem" role="alert"><p>${said}</p></div>`
}
