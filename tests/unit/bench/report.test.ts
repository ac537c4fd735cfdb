import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type Measured, median } from '../../../bench/measure/rounds.ts'
import { sectionMarkdown } from '../../../bench/report/markdown.ts'
import { barChart } from '../../../bench/report/plot.ts'
import { type Figures, withFigures } from '../../../bench/report/readme.ts'
import { p99Of, ratioOf, requestRows } from '../../../bench/result.ts'

const measured = (name: string, requestsPerSecond: number, p99Milliseconds: number): Measured => ({
  name,
  requestsPerSecond,
  spread: [requestsPerSecond - 100, requestsPerSecond + 100],
  p50Milliseconds: 1,
  p99Milliseconds,
  processorMicroseconds: 100,
})

const both = [measured('Mint', 12_345, 4.2), measured('a <peer> & more', 6_000, 9)]

describe('The bench’s report', () => {
  it('checks ratios and times against their targets', () => {
    const checks = [ratioOf(both, 'Mint', 'a <peer> & more', 2), p99Of(both, 'Mint', 4)]
    const text = sectionMarkdown('get', { title: 'GET by id', rows: requestRows(both), checks })
    assert.ok(text.includes('| Mint | 12,345 requests/s | 12,245 – 12,445 | 4.2 ms | 100 µs |'), text)
    assert.ok(text.includes('| Mint ÷ a <peer> & more | 2.06 × | ≥ 2 × | reached |'), text)
    assert.ok(text.includes('| p99 of Mint | 4.2 ms | ≤ 4 ms | missed |'), text)
  })

  it('refuses to compare with something that was not measured', () => {
    assert.throws(() => ratioOf(both, 'Mint', 'nobody', 1), /nobody was not measured/)
  })

  it('draws longer bars for higher figures, and escapes names', () => {
    const chart = barChart('GET by id', requestRows(both))
    const widths = [...chart.matchAll(/<rect x="\d+" y="\d+" width="([\d.]+)"/g)].map(([, width]) => Number(width))
    assert.equal(widths.length, 2)
    assert.ok((widths[0] ?? 0) > 2 * (widths[1] ?? 0), `${widths}`)
    assert.ok(chart.includes('a &lt;peer> &amp; more'))
  })

  it('matches the README, whose figures are those of the last complete run', () => {
    const readme = readFileSync('README.md', 'utf8')
    const figures = JSON.parse(readFileSync('bench/results/results.json', 'utf8')) as Figures
    assert.equal(withFigures(readme, figures), readme)
    assert.ok(readme.includes(figures.machine))
  })

  it('takes the median of the rounds', () => {
    assert.equal(median([9, 1, 5]), 5)
    assert.equal(median([4, 1, 2, 3]), 2.5)
    assert.ok(Number.isNaN(median([])))
  })
})
