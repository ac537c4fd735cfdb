import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Load } from '../measure/load.ts'
import { type BenchServer, residentMegabytes } from '../measure/processes.ts'
import { type BenchMint, getLoad, postLoad } from '../mint.ts'

/** What was seen in one interval. */
export interface Sample {
  /** Since the start. */
  readonly seconds: number
  readonly p50Milliseconds: number
  readonly p99Milliseconds: number
  /** What the reference took of the same load right after it: it tells how fast the machine was. */
  readonly reference: { readonly p50Milliseconds: number; readonly p99Milliseconds: number }
  /** Resident, all processes together. */
  readonly megabytes: number
  readonly failed: number
}

/** A steady pace. */
export interface Pace {
  readonly gets: number
  readonly posts: number
}

/** What a server is asked: the number of each request among those of its kind, and how many were created before it. */
interface Requests {
  get(number: number, created: number): Load
  post(): Load
}

const TURN_MILLISECONDS = 10
/** One interval: under load, then the reference under the same load. */
const LOADED_MILLISECONDS = 12_000
const REFERENCE_MILLISECONDS = 3_000

/**
 * Sends reads and writes at a steady pace, whether they are answered quickly or not, and tells of each interval. A
 * request's time counts from when it was due, so that a stop of the server is not left out.
 */
export async function loadSteadily(
  { mint, reference }: { readonly mint: BenchMint; readonly reference: BenchServer },
  perSecond: Pace,
  milliseconds: number,
  onSample: (sample: Sample) => void,
): Promise<Sample[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const loadMint = steadyLoad(agent, perSecond, {
    get: (number, created) => getLoad(mint.url, 1 + (number % (created + 1)), mint.key),
    post: () => postLoad(mint.url, mint.key),
  })
  const loadReference = steadyLoad(agent, perSecond, {
    get: () => getLoad(reference.url, 1),
    post: () => postLoad(reference.url),
  })
  const begun = performance.now()
  const samples: Sample[] = []
  while (performance.now() - begun < milliseconds) {
    const { times, failed } = await loadMint(LOADED_MILLISECONDS)
    const megabytes = memoryOf(mint)
    const ofReference = await loadReference(REFERENCE_MILLISECONDS)
    const seconds = (performance.now() - begun) / 1000
    samples.push({ seconds, ...latencies(times), reference: latencies(ofReference.times), megabytes, failed })
    onSample(samples.at(-1) as Sample)
  }
  agent.destroy()
  return samples
}

/** A load that can be sent for some milliseconds again and again; it answers when the last of its requests is. */
function steadyLoad(agent: Agent, perSecond: Pace, { get, post }: Requests) {
  const sent = { gets: 0, posts: 0 }
  return async (milliseconds: number): Promise<{ times: readonly number[]; failed: number }> => {
    const times: number[] = []
    const underWay: Promise<unknown>[] = []
    let failed = 0
    const send = (load: Load, due: number): void => {
      const answered = roundTrip(load, agent).then(
        () => times.push(performance.now() - due),
        () => failed++,
      )
      underWay.push(answered)
    }
    const before = { ...sent }
    const begun = performance.now()
    for (let elapsed = 0; elapsed < milliseconds; elapsed = performance.now() - begun) {
      const due = begun + elapsed
      const dueOf = (kind: keyof Pace): number => before[kind] + (elapsed / 1000) * perSecond[kind]
      for (; sent.gets < dueOf('gets'); sent.gets++) send(get(sent.gets, sent.posts), due)
      for (; sent.posts < dueOf('posts'); sent.posts++) send(post(), due)
      await pause(TURN_MILLISECONDS)
    }
    await Promise.all(underWay)
    return { times, failed }
  }
}

function roundTrip({ url, method, headers, body }: Load, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers, agent }, (answer) => {
      const settle = (): void => ((answer.statusCode ?? 500) < 300 ? resolve() : reject(new Error('refused')))
      answer.resume().on('end', settle).on('error', reject)
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
