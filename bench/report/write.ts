import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { SectionResult } from '../result.ts'
import { sectionMarkdown } from './markdown.ts'
import { barChart } from './plot.ts'
import { withFigures } from './readme.ts'

const FOLDER = fileURLToPath(new URL('../results/', import.meta.url))
const README = fileURLToPath(new URL('../../README.md', import.meta.url))

export interface Report {
  /** By section. */
  readonly results: ReadonlyMap<string, SectionResult>
  /** Why sections were skipped, a line for each. */
  readonly leftOut: readonly string[]
  /** What generated the load, and for how long. */
  readonly load: string
  /** Only a whole run replaces the results that the README links to; others go to the folder `partial`. */
  readonly whole: boolean
}

/** Prints the tables, and writes them as Markdown, JSON and a plot for each section of requests. */
export function writeReport({ results, leftOut, load, whole }: Report): void {
  const folder = whole ? FOLDER : `${FOLDER}partial/`
  mkdirSync(folder, { recursive: true })
  const at = new Date().toISOString()
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 1e9)} GB, Node ${process.version}`
  const markdown = [
    '# What `npm run bench` measured',
    `${at.slice(0, 10)} on ${machine}. Load: ${load}, 64 connections, from a separate process on the same machine; ` +
      'medians of three alternating rounds. Compare ratios: the figures of a shared machine drift.',
    ...[...results].map(([name, result]) => sectionMarkdown(name, result)),
    ...(leftOut.length > 0 ? ['## Left out', leftOut.map((line) => `- ${line}`).join('\n')] : []),
  ].join('\n\n')
  console.log(markdown)
  writeFileSync(`${folder}results.md`, `${markdown}\n`)
  const json = { at, machine, load, sections: Object.fromEntries(results), leftOut }
  writeFileSync(`${folder}results.json`, `${JSON.stringify(json, null, 2)}\n`)
  if (whole) writeFileSync(README, withFigures(readFileSync(README, 'utf8'), json))
  for (const [name, { title, rows }] of results) {
    const requests = rows.filter(({ unit }) => unit === 'requests/s')
    if (requests.length > 0) writeFileSync(`${folder}${name}.svg`, barChart(title, requests))
  }
  console.log(`\nWritten to ${folder}`)
}
