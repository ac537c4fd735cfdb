/**
 * `npm run bench:soak`: ten minutes under load (`-- --minutes 2` for less), reads and durable writes at once on the
 * embedded default, and on separate processes where MONGO_URL and KAFKA_BROKERS are set (`-- --shape separate`). Says
 * how memory and latency went along, and ends with 1 when either grew or a request failed. Latency is compared with
 * that of a bare node:http server under the same load in between, as the machine's own speed drifts.
 */
import { parseArgs } from 'node:util'
import { chooseLoadGenerator } from './measure/load.ts'
import { residentMegabytes } from './measure/processes.ts'
import { createContract, getLoad, postLoad, startEmbedded, startSeparate } from './mint.ts'
import { startPeer } from './peers.ts'
import { growthOf, type Latencies, type Sample } from './soak/growth.ts'

/** One interval: Mint under load, then the reference under the same load. */
const [LOADED_SECONDS, REFERENCE_SECONDS] = [12, 3]
const [READERS, WRITERS] = [24, 8]

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, shape: { type: 'string', default: 'embedded' } },
})
const { send } = chooseLoadGenerator()
const ends = new AsyncDisposableStack()
try {
  const mint = values.shape === 'separate' ? await startSeparate(enginesFromEnvironment()) : await startEmbedded()
  ends.defer(() => mint.stop())
  const reference = await startPeer('node-alone')
  ends.defer(() => reference.stop())
  const id = await createContract(mint.url, mint.key)
  const samples: Sample[] = []
  const begun = performance.now()
  const secondsSince = () => (performance.now() - begun) / 1000
  while (secondsSince() < Number(values.minutes) * 60) {
    const { failures, ...ofMint } = await mixed(mint.url, LOADED_SECONDS, id, mint.key)
    const megabytes = mint.pids.reduce((sum, pid) => sum + residentMegabytes(pid), 0)
    const ofReference = await mixed(reference.url, REFERENCE_SECONDS, 1)
    if (ofReference.failures.length > 0) throw new Error(`the reference failed: ${ofReference.failures[0]}`)
    const sample = { seconds: secondsSince(), ...ofMint, reference: ofReference, megabytes, failures }
    samples.push(sample)
    console.log(inWords(sample))
  }
  const { lines, hasGrown } = growthOf(samples)
  for (const line of lines) console.log(line)
  if (hasGrown) process.exitCode = 1
} finally {
  await ends.disposeAsync()
}

/** Reads and creates at once. The latencies are those of the kind that took longer. */
async function mixed(url: string, seconds: number, id: unknown, key?: string) {
  const loads = await Promise.allSettled([
    send(getLoad(url, id, key), seconds, READERS),
    send(postLoad(url, key), seconds, WRITERS),
  ])
  const results = loads.flatMap((load) => (load.status === 'fulfilled' ? [load.value] : []))
  return {
    p50Milliseconds: Math.max(...results.map(({ p50Milliseconds }) => p50Milliseconds)),
    p99Milliseconds: Math.max(...results.map(({ p99Milliseconds }) => p99Milliseconds)),
    failures: loads.flatMap((load) => (load.status === 'rejected' ? [(load.reason as Error).message] : [])),
  }
}

function inWords({ seconds, reference, megabytes, failures, ...ofMint }: Sample): string {
  const latency = ({ p50Milliseconds, p99Milliseconds }: Latencies): string =>
    `p50 ${p50Milliseconds.toFixed(1)} ms, p99 ${p99Milliseconds.toFixed(1)} ms`
  return [
    `${seconds.toFixed(0).padStart(5)} s  ${latency(ofMint)} (reference: ${latency(reference)})`,
    `${megabytes.toFixed(0)} MB`,
    failures.length === 0 ? 'none failed' : failures.join('; '),
  ].join(', ')
}

function enginesFromEnvironment() {
  const { MONGO_URL: mongoUrl, KAFKA_BROKERS: brokers } = process.env
  if (mongoUrl && brokers) return { mongoUrl, brokers }
  console.error('--shape separate needs MONGO_URL and KAFKA_BROKERS')
  process.exit(1)
}
