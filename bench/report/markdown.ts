import { type Check, isMet, type Row, type SectionResult } from '../result.ts'

/** A section as Markdown: its figures, and whether they reach their targets. */
export function sectionMarkdown(name: string, { title, rows, checks, notes = [] }: SectionResult): string {
  return [
    `## ${title}`,
    table(['', 'median', 'lowest – highest', 'p99', 'processor time a request'], rows.map(rowCells)),
    ...(rows.some(({ unit }) => unit === 'requests/s') ? [`![${title}](${name}.svg)`] : []),
    table(['', 'measured', 'target', ''], checks.map(checkCells)),
    ...notes,
  ].join('\n\n')
}

function rowCells({ what, value, unit, spread, p99Milliseconds, processorMicroseconds }: Row): string[] {
  return [
    what,
    `${short(value)} ${unit}`,
    spread ? `${short(spread[0])} – ${short(spread[1])}` : '',
    p99Milliseconds === undefined ? '' : `${short(p99Milliseconds)} ms`,
    processorMicroseconds === undefined ? '' : `${short(processorMicroseconds)} µs`,
  ]
}

function checkCells(check: Check): string[] {
  const { what, value, unit, atLeast, atMost } = check
  const target = atLeast === undefined ? `≤ ${short(atMost ?? Number.NaN)}` : `≥ ${short(atLeast)}`
  return [what, `${short(value)} ${unit}`, `${target} ${unit}`, isMet(check) ? 'reached' : 'missed']
}

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Three significant digits, with separators for thousands. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : `${Number(value.toPrecision(3))}`
}
