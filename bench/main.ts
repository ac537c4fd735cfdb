/**
 * `npm run bench`: compares Mint, in one run, with what its users would otherwise build. A separate process (wrk, else
 * autocannon) sends the load over 64 connections, to each server in turn, in three rounds; medians and spreads go to
 * bench/results/ as Markdown, JSON and SVG. Compare ratios: the figures of a shared machine drift.
 *
 * `-- --seconds 2` sets the length of a round (4 by default), `-- --only get,post` measures only those sections.
 */
import { parseArgs } from 'node:util'
import { chooseLoadGenerator } from './measure/load.ts'
import { writeReport } from './report/write.ts'
import type { SectionResult } from './result.ts'
import { type Bench, LeftOut } from './section.ts'
import { SECTIONS, type SectionName } from './sections.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, only: { type: 'string' } },
})
const names = values.only === undefined ? (Object.keys(SECTIONS) as SectionName[]) : values.only.split(',').map(known)
const generator = chooseLoadGenerator()
const { MONGO_URL: mongoUrl, KAFKA_BROKERS: brokers } = process.env
const engines = mongoUrl && brokers ? { mongoUrl, brokers } : undefined
const pace = { send: generator.send, seconds: Number(values.seconds) }

const results = new Map<string, SectionResult>()
const leftOut: string[] = []
for (const name of names) {
  const begun = performance.now()
  console.log(`── ${name}`)
  const ends = new AsyncDisposableStack()
  const bench: Bench = {
    pace,
    engines,
    onEnd(started) {
      ends.defer(() => started.stop())
      return started
    },
  }
  try {
    results.set(name, await SECTIONS[name](bench))
  } catch (error) {
    const { message } = error as Error
    leftOut.push(`${name}: ${message}`)
    console.log(`left out: ${message}`)
    if (!(error instanceof LeftOut)) {
      console.error(error)
      process.exitCode = 1
    }
  } finally {
    await ends.disposeAsync()
  }
  console.log(`── ${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`)
}
writeReport({
  results,
  leftOut,
  load: `${generator.name}, rounds of ${pace.seconds} s`,
  whole: values.only === undefined && leftOut.length === 0,
})

function known(name: string): SectionName {
  if (Object.hasOwn(SECTIONS, name)) return name as SectionName
  console.error(`--only ${name}: known are ${Object.keys(SECTIONS).join(', ')}`)
  process.exit(1)
}
