/**
 * `node .ci/left-out.ts LOG…`: prints the suites that a run of mocha left out (`left out: TITLE (REASON)`) and no other
 * run had, one per line, with the reason. A log is the output of one run.
 */
import { readFileSync } from 'node:fs'

const logs = process.argv.slice(2).map((file) => readFileSync(file, 'utf8').split('\n'))
// Two suites may have the same title, so both are counted.
const ran = counted(logs.flat().map((line) => /^ {2,}(\S.*)$/.exec(line)?.[1]))
const missing = new Set<string>()
for (const log of logs) {
  const leftOut = log.flatMap((line) => /^left out: (?<title>.*) \((?<reason>.*)\)$/.exec(line)?.groups ?? [])
  const times = counted(leftOut.map(({ title }) => title))
  for (const { title = '', reason } of leftOut) {
    if ((times.get(title) ?? 0) > (ran.get(title) ?? 0)) missing.add(`${title} (${reason})`)
  }
}
for (const line of missing) console.log(line)

function counted(titles: readonly (string | undefined)[]): ReadonlyMap<string | undefined, number> {
  const counts = new Map<string | undefined, number>()
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1)
  return counts
}
