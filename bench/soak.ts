/**
 * `npm run bench:soak`: ten minutes at half of the maximum rate (`-- --minutes 2` for less), reads and durable writes
 * on the embedded default, or on separate processes (`-- --shape separate`, which needs MONGO_URL and KAFKA_BROKERS);
 * `-- --requests-per-second 50` leaves most of the machine to others. Reports memory and latency over time, and exits
 * with 1 if either grew or a request failed. Latency is compared with that of a bare node:http server under the same
 * load in between, since the speed of the machine drifts.
 */
import { parseArgs } from 'node:util'
import { startEmbedded, startSeparate } from './mint.ts'
import { startPeer } from './peers.ts'
import { growthOf } from './soak/growth.ts'
import { findMaximum } from './soak/maximum.ts'
import { mixedRequests } from './soak/requests.ts'
import { loadSteadily, type Sample } from './soak/steady-load.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    shape: { type: 'string', default: 'embedded' },
    'requests-per-second': { type: 'string' },
  },
})
const { MONGO_URL: mongoUrl, KAFKA_BROKERS: brokers } = process.env
const brokenOff = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => brokenOff.abort())
const { signal } = brokenOff
const ends = new AsyncDisposableStack()
try {
  const mint = values.shape === 'separate' ? await startSeparate(enginesFromEnvironment()) : await startEmbedded()
  ends.defer(() => mint.stop())
  const reference = await startPeer('node-alone')
  ends.defer(() => reference.stop())
  const toMint = mixedRequests(mint.url, mint.key)
  ends.defer(() => toMint.close())
  const toReference = mixedRequests(reference.url)
  ends.defer(() => toReference.close())
  signal.addEventListener('abort', () => Promise.all([toMint.close(), toReference.close()]))

  const requestsPerSecond = Number(values['requests-per-second'] ?? (await findMaximum(toMint, signal)) / 2)
  console.log(`${values.minutes} minutes of ${requestsPerSecond.toFixed(0)} requests/s`)
  const samples = await loadSteadily({
    mint: { ...toMint, pids: mint.pids },
    reference: toReference,
    requestsPerSecond,
    milliseconds: Number(values.minutes) * 60_000,
    signal,
    onSample: (sample) => console.log(inWords(sample)),
  })
  const { lines, hasGrown } = growthOf(samples)
  for (const line of lines) console.log(line)
  if (hasGrown) process.exitCode = 1
} catch (error) {
  if (!signal.aborted) throw error
  console.error(`broken off: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  await ends.disposeAsync()
}

function inWords({ seconds, reference, megabytes, processor, lateMilliseconds, failures, ...ofMint }: Sample): string {
  const latency = ({ p50Milliseconds, p99Milliseconds }: Sample['reference']): string =>
    `p50 ${p50Milliseconds.toFixed(1)} ms, p99 ${p99Milliseconds.toFixed(1)} ms`
  const percent = (part: number): string => `${(part * 100).toFixed(0)} %`
  return [
    `${seconds.toFixed(0).padStart(5)} s  ${latency(ofMint)} (reference: ${latency(reference)})`,
    `${megabytes.toFixed(0)} MB`,
    `processor ${percent(processor.mint)} (load: ${percent(processor.load)}, late by ${lateMilliseconds.toFixed(0)} ms)`,
    `${failures.length} failed${failures.length > 0 ? `: ${failures[0]}` : ''}`,
  ].join(', ')
}

function enginesFromEnvironment() {
  if (mongoUrl && brokers) return { mongoUrl, brokers }
  console.error('--shape separate needs MONGO_URL and KAFKA_BROKERS')
  process.exit(1)
}
