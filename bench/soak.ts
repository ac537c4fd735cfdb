/**
 * `npm run bench:soak`: ten minutes at half of the maximum (`-- --minutes 2` for less), reads and durable writes on the
 * embedded default, and on separate processes where MONGO_URL and KAFKA_BROKERS are set (`-- --shape separate`). Says
 * how memory and latency went along, and ends with 1 when either grew. Latency is held against that of a bare node:http
 * server under the same load in between, as the machine's own speed drifts.
 */
import { parseArgs } from 'node:util'
import { chooseLoadGenerator } from './measure/load.ts'
import { startEmbedded, startSeparate } from './mint.ts'
import { startPeer } from './peers.ts'
import { growthOf } from './soak/growth.ts'
import { findMaximum } from './soak/maximum.ts'
import { loadSteadily, type Sample } from './soak/steady-load.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, shape: { type: 'string', default: 'embedded' } },
})
const { MONGO_URL: mongoUrl, KAFKA_BROKERS: brokers } = process.env
const ends = new AsyncDisposableStack()
try {
  const mint = values.shape === 'separate' ? await startSeparate(enginesFromEnvironment()) : await startEmbedded()
  ends.defer(() => mint.stop())
  const reference = await startPeer('node-alone')
  ends.defer(() => reference.stop())
  const maximum = await findMaximum(mint, chooseLoadGenerator().send)
  const perSecond = { gets: maximum.gets / 4, posts: maximum.posts / 4 }
  console.log(
    `maximum ${maximum.gets.toFixed(0)} GET/s or ${maximum.posts.toFixed(0)} POST/s; ` +
      `${values.minutes} minutes of ${perSecond.gets.toFixed(0)} GET/s and ${perSecond.posts.toFixed(0)} POST/s`,
  )
  const samples = await loadSteadily({ mint, reference }, perSecond, Number(values.minutes) * 60_000, (sample) => {
    const { seconds, megabytes, failed } = sample
    const latency = `${latencyIn(sample)} (reference: ${latencyIn(sample.reference)})`
    console.log(`${seconds.toFixed(0).padStart(5)} s  ${latency}, ${megabytes.toFixed(0)} MB, ${failed} failed`)
  })
  const { lines, hasGrown } = growthOf(samples)
  for (const line of lines) console.log(line)
  if (hasGrown) process.exitCode = 1
} finally {
  await ends.disposeAsync()
}

function latencyIn({ p50Milliseconds, p99Milliseconds }: Sample['reference']): string {
  return `p50 ${p50Milliseconds.toFixed(1)} ms, p99 ${p99Milliseconds.toFixed(1)} ms`
}

function enginesFromEnvironment() {
  if (mongoUrl && brokers) return { mongoUrl, brokers }
  console.error('--shape separate needs MONGO_URL and KAFKA_BROKERS')
  process.exit(1)
}
