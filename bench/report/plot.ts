import type { Row } from '../result.ts'

const WIDTH = 760
const LABELS = 330
const LINE = 28

/** A bar chart as an SVG image; the thin line on each bar is the range of its rounds. */
export function barChart(title: string, rows: readonly Row[]): string {
  const largest = Math.max(...rows.map(({ value, spread }) => spread?.[1] ?? value))
  const x = (value: number): number => LABELS + (value / largest) * (WIDTH - LABELS - 90)
  const bars = rows.map(({ what, value, spread = [value, value] }, index) => {
    const y = 40 + index * LINE
    const [from, to] = spread.map(x)
    return `<text x="${LABELS - 8}" y="${y + 15}" text-anchor="end">${escaped(what)}</text>
<rect x="${LABELS}" y="${y}" width="${x(value) - LABELS}" height="20" fill="${what.startsWith('Mint') ? '#2a8f6d' : '#9aa5b1'}"/>
<path d="M${from} ${y + 10}H${to}" stroke="#222"/>
<text x="${x(spread[1]) + 6}" y="${y + 15}">${Math.round(value).toLocaleString('en')}</text>`
  })
  const height = 50 + rows.length * LINE
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="8" y="22" font-weight="bold">${escaped(title)} (requests/s)</text>
${bars.join('\n')}
</svg>
`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
