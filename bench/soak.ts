/**
 * `npm run bench:soak`: ten minutes at half of the maximum rate (`-- --minutes 2` for less), reads and durable writes
 * on the embedded default, or on separate processes (`-- --shape separate`, which needs MONGO_URL and KAFKA_BROKERS);
 * `-- --requests-per-second 50` leaves most of the machine to others. Reports memory and latency over time, and exits
 * with 1 if either grew or a request failed. Latency is compared with that of a bare node:http server under the same
 * load in between, since the speed of the machine drifts.
 */
import { parseArgs } from 'node:util'
import { residentMegabytes } from './measure/processes.ts'
import { startEmbedded, startSeparate } from './mint.ts'
import { startPeer } from './peers.ts'
import { growthOf, type Sample } from './soak/growth.ts'
import { findMaximum, mixedRequests, sendSteadily } from './soak/load.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    shape: { type: 'string', default: 'embedded' },
    'requests-per-second': { type: 'string' },
  },
})
/** One interval: Mint under load, then the reference under the same load. */
const LOADED_SECONDS = 12
const REFERENCE_SECONDS = 3

const ends = new AsyncDisposableStack()
let isBrokenOff = false
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isBrokenOff = true))
try {
  const mint = values.shape === 'separate' ? await startSeparate(enginesFromEnvironment()) : await startEmbedded()
  ends.defer(() => mint.stop())
  const reference = await startPeer('node-alone')
  ends.defer(() => reference.stop())
  const toMint = mixedRequests(mint.url, mint.key)
  ends.defer(() => toMint.close())
  const toReference = mixedRequests(reference.url)
  ends.defer(() => toReference.close())

  const rate = Number(values['requests-per-second'] ?? (await findMaximum(toMint)) / 2)
  console.log(`${values.minutes} minutes of ${rate.toFixed(0)} requests/s`)
  const samples: Sample[] = []
  const end = performance.now() + Number(values.minutes) * 60_000
  while (performance.now() < end && !isBrokenOff) {
    const ofMint = await sendSteadily(toMint, rate, LOADED_SECONDS)
    const megabytes = mint.pids.reduce((sum, pid) => sum + residentMegabytes(pid), 0)
    const ofReference = await sendSteadily(toReference, rate, REFERENCE_SECONDS)
    if (ofReference.failures.length > 0) throw new Error(`the reference failed: ${ofReference.failures[0]}`)
    const sample = { ...ofMint, megabytes, reference: ofReference }
    samples.push(sample)
    console.log(inWords(sample))
  }
  if (isBrokenOff) {
    console.error('interrupted: the figures are of a part of the load')
    process.exitCode = 1
  }
  const { lines, hasGrown } = growthOf(samples)
  for (const line of lines) console.log(line)
  if (hasGrown) process.exitCode = 1
} finally {
  await ends.disposeAsync()
}

function inWords({ reference, megabytes, failures, ...ofMint }: Sample): string {
  const latency = ({ p50Milliseconds, p99Milliseconds }: Sample['reference']): string =>
    `p50 ${p50Milliseconds.toFixed(1)} ms, p99 ${p99Milliseconds.toFixed(1)} ms`
  const failed = `${failures.length} failed${failures.length > 0 ? `: ${failures[0]}` : ''}`
  return `${latency(ofMint)} (reference: ${latency(reference)}), ${megabytes.toFixed(0)} MB, ${failed}`
}

function enginesFromEnvironment() {
  const { MONGO_URL: mongoUrl, KAFKA_BROKERS: brokers } = process.env
  if (mongoUrl && brokers) return { mongoUrl, brokers }
  console.error('--shape separate needs MONGO_URL and KAFKA_BROKERS')
  process.exit(1)
}
