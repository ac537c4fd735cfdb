import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Load } from '../measure/load.ts'
import { residentMegabytes } from '../measure/processes.ts'
import { type BenchMint, getLoad, postLoad } from '../mint.ts'

/** What was seen in one interval. */
export interface Sample {
  /** Since the start. */
  readonly seconds: number
  readonly p50Milliseconds: number
  readonly p99Milliseconds: number
  /** Resident, all processes together. */
  readonly megabytes: number
  readonly failed: number
}

const TURN_MILLISECONDS = 10
const SAMPLE_MILLISECONDS = 15_000

/**
 * Sends reads and writes at a steady pace, whether they are answered quickly or not, and tells of each interval. A
 * request's time counts from when it was due, so that a stop of the server is not left out.
 */
export async function loadSteadily(
  mint: BenchMint,
  perSecond: { readonly gets: number; readonly posts: number },
  milliseconds: number,
  onSample: (sample: Sample) => void,
): Promise<Sample[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const begun = performance.now()
  const samples: Sample[] = []
  let times: number[] = []
  let failed = 0
  const sent = { gets: 0, posts: 0 }
  const send = (load: Load, due: number): void => {
    roundTrip(load, agent).then(
      () => times.push(performance.now() - due),
      () => failed++,
    )
  }
  while (performance.now() - begun < milliseconds) {
    const elapsed = performance.now() - begun
    for (; sent.gets < (elapsed / 1000) * perSecond.gets; sent.gets++) {
      send(getLoad(mint.url, 1 + (sent.gets % (sent.posts + 1)), mint.key), begun + elapsed)
    }
    for (; sent.posts < (elapsed / 1000) * perSecond.posts; sent.posts++) {
      send(postLoad(mint.url, mint.key), begun + elapsed)
    }
    if (elapsed > (samples.length + 1) * SAMPLE_MILLISECONDS) {
      samples.push({ seconds: elapsed / 1000, ...latencies(times), megabytes: memoryOf(mint), failed })
      onSample(samples.at(-1) as Sample)
      times = []
      failed = 0
    }
    await pause(TURN_MILLISECONDS)
  }
  agent.destroy()
  return samples
}

function roundTrip({ url, method, headers, body }: Load, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers, agent }, (answer) => {
      answer.resume().on('end', () => ((answer.statusCode ?? 500) < 300 ? resolve() : reject(new Error('refused'))))
    })
    sending.on('error', reject).end(body)
  })
}

const memoryOf = ({ pids }: BenchMint): number => pids.reduce((sum, pid) => sum + residentMegabytes(pid), 0)

function latencies(times: readonly number[]): Pick<Sample, 'p50Milliseconds' | 'p99Milliseconds'> {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
  return { p50Milliseconds: at(0.5), p99Milliseconds: at(0.99) }
}
