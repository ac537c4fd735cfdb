import { html, nothing, type TemplateResult } from 'lit-html'
import { showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { createDownload } from '../lists/download.ts'
import { openPaged, type Paged, type Rows, showPaging } from '../lists/paged.ts'
import { PAGE_SIZES, rangeText } from '../lists/paging.ts'
import { showTable } from '../lists/table.ts'
import { createFigures, type Figures } from './figures.ts'
import { byClient } from './groups.ts'
import { columnsOfLines, type LineRow, naming } from './lines-table.ts'
import { lineColumns } from './report-file.ts'
import { createReportFilters, scopeText, toNow } from './report-filters.ts'
import { fetchLines, type Line, type Lines, MAX_LIMIT, parametersOf, type ReportFilters } from './reports.ts'
import { addUpLines } from './sums.ts'

/** Up to the API's maximum, because lines are printed. */
const SIZES = [...PAGE_SIZES, MAX_LIMIT]

interface Shown extends Lines, Rows<Line> {
  readonly filters: ReportFilters
}

/** The contracts behind a figure, line by line, as they stood when it was read: they add up to it. */
export function linesPage(context: PageContext): Page {
  const figures = createFigures(context)
  const controls = createReportFilters(context)
  const download = createDownload(context)
  const lines = openPaged<Shown>(
    context,
    async (page, signal) => {
      const filters = controls.current()
      const found = await fetchLines(context.api, { filters, ...page, signal })
      return { ...found, rows: found.lines, filters }
    },
    SIZES,
  )

  function show({ range, filters, ...page }: Paged<Shown>): TemplateResult {
    return html`<div class="report">
      <p class="range">${text('lines.scope', { range: rangeText(range), scope: scopeText(filters, page.asOf) })} ${toNow(context)}</p>
      ${only(filters, page)}
      ${page.lines.length === 0 ? nothing : showLines(page, figures, context)}
      ${showPaging(range, context, SIZES)}
    </div>`
  }

  /** The file has the lines that are shown, of the same moment. */
  function file(): TemplateResult {
    const { filters = controls.current(), asOf = filters.asOf, total }: Partial<Shown> = lines.value() ?? {}
    const query = { ...parametersOf(filters), asOf }
    const sheet = { title: text('kind.title.contracts'), columns: lineColumns, rows: total }
    return download.button({ path: 'reports/contracts/lines.csv', query, name: 'lines', sheet })
  }

  return {
    title: () => text('lines.title'),
    view: () => html`${controls.view()}${download.problem()}${showLoaded(lines, show)}`,
    actions: () => html`${figures.toggle()}${file()}`,
    queryChanged: () => void lines.load(),
    followsAsOf: true,
  }
}

/** The filters other than dates, for readers on paper. */
function only({ clientId, serviceType }: ReportFilters, { lines: [line] }: Lines): TemplateResult {
  const client = line && clientId ? byClient.nameOf({ ...line, count: 1 }) : undefined
  return html`${client && html`<p class="only">${parts('format.labelled', { label: text('field.clientId'), value: client })}</p>`}
    ${serviceType ? html`<p class="only">${parts('format.labelled', { label: text('field.serviceType'), value: html`<bdi>${serviceType}</bdi>` })}</p>` : nothing}`
}

/** Fees keep all their digits: rounded, they wouldn't add up to their sum. */
function showLines({ lines, total, sums }: Lines, figures: Figures, { link }: PageContext): TemplateResult {
  const { contract, date, client, service, type, taxPercent } = columnsOfLines(link)
  const shown = { ...addUpLines(lines), name: text('lines.these') }
  return showTable<LineRow>({
    caption: text('lines.caption'),
    kind: 'sums line-by-line',
    columns: [
      naming(contract),
      date,
      client,
      service,
      type,
      [text('word.fee'), ({ serviceFee }) => figures.amount(serviceFee, { isWhole: true }), 'amount'],
      taxPercent,
      [text('word.tax'), (row) => figures.tax(row, { isWhole: true }), 'amount'],
      [text('field.totalFeeWithTax'), (row) => figures.total(row), 'amount'],
    ],
    rows: lines,
    foot: [...(total > lines.length ? [shown] : []), { ...sums, name: text('lines.all') }],
  })
}
