import { setTimeout as pause } from 'node:timers/promises'
import { type BenchServer, processorMilliseconds, residentMegabytes } from '../measure/processes.ts'
import type { Requests } from './requests.ts'

/** The measurements of one interval. */
export interface Sample extends Latencies {
  /** Since the start. */
  readonly seconds: number
  /** The latency of the reference under the same load right after it, which shows how fast the machine was. */
  readonly reference: Latencies
  /** Resident memory of all processes together. */
  readonly megabytes: number
  /** Processor time used by Mint and by the sender, as fractions of one core. */
  readonly processor: { readonly mint: number; readonly load: number }
  /** How late the sender was at most; anything beyond that is Mint, or waiting for a connection. */
  readonly lateMilliseconds: number
  /** The reason of each failed request. */
  readonly failures: readonly string[]
}

interface Latencies {
  readonly p50Milliseconds: number
  readonly p99Milliseconds: number
}

export interface SteadyLoad {
  readonly mint: Requests & Pick<BenchServer, 'pids'>
  readonly reference: Requests
  readonly requestsPerSecond: number
  readonly milliseconds: number
  readonly signal: AbortSignal
  readonly onSample: (sample: Sample) => void
}

const TURN_MILLISECONDS = 2
/** One interval: under load, then the reference under the same load. */
const LOADED_MILLISECONDS = 12_000
const REFERENCE_MILLISECONDS = 3_000

/**
 * Sends requests at a steady rate, however fast they are answered, and reports each interval. A request's time counts
 * from when it was due, so that a stalled server shows. Rejects if the reference fails or, once the requests in
 * progress have ended, when `signal` is aborted.
 */
export async function loadSteadily(parts: SteadyLoad): Promise<Sample[]> {
  const { mint, reference, requestsPerSecond, milliseconds, signal, onSample } = parts
  const load = ({ send }: Requests, turn: number) =>
    sendSteadily(send, { requestsPerSecond, milliseconds: turn, signal })
  const begun = performance.now()
  const samples: Sample[] = []
  while (performance.now() - begun < milliseconds) {
    const shares = processorShares(mint.pids)
    const { latencies, lateMilliseconds, failures } = await load(mint, LOADED_MILLISECONDS)
    const processor = shares()
    const megabytes = mint.pids.reduce((sum, pid) => sum + residentMegabytes(pid), 0)
    const ofReference = await load(reference, REFERENCE_MILLISECONDS)
    const [failure] = ofReference.failures
    if (failure !== undefined) throw new Error(`the reference failed: ${failure}`)
    const seconds = (performance.now() - begun) / 1000
    const sample = {
      seconds,
      ...latencies,
      reference: ofReference.latencies,
      megabytes,
      processor,
      lateMilliseconds,
      failures,
    }
    samples.push(sample)
    onSample(sample)
  }
  return samples
}

interface Turn {
  readonly requestsPerSecond: number
  readonly milliseconds: number
  readonly signal: AbortSignal
}

/** Resolves when the last of the requests is answered. */
async function sendSteadily(send: () => Promise<void>, { requestsPerSecond, milliseconds, signal }: Turn) {
  const times: number[] = []
  const underWay: Promise<unknown>[] = []
  const failures: string[] = []
  let lateMilliseconds = 0
  const begun = performance.now()
  for (let elapsed = 0, sent = 0; elapsed < milliseconds; ) {
    for (; sent < (elapsed / 1_000) * requestsPerSecond; sent++) {
      const due = begun + (sent / requestsPerSecond) * 1_000
      const answered = send().then(
        () => times.push(performance.now() - due),
        (error: Error) => failures.push(error.message),
      )
      underWay.push(answered)
    }
    await pause(TURN_MILLISECONDS, undefined, { signal })
    const now = performance.now() - begun
    lateMilliseconds = Math.max(lateMilliseconds, now - elapsed - TURN_MILLISECONDS)
    elapsed = now
  }
  await Promise.all(underWay)
  signal.throwIfAborted()
  return { latencies: latenciesOf(times), lateMilliseconds, failures }
}

/** Returns the fractions of one core used since. */
function processorShares(pids: readonly number[]): () => Sample['processor'] {
  const taken = () => ({
    at: performance.now(),
    mint: processorMilliseconds(pids),
    load: processorMilliseconds([process.pid]),
  })
  const before = taken()
  return () => {
    const after = taken()
    const part = (who: 'mint' | 'load'): number => (after[who] - before[who]) / (after.at - before.at)
    return { mint: part('mint'), load: part('load') }
  }
}

function latenciesOf(times: readonly number[]): Latencies {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
  return { p50Milliseconds: at(0.5), p99Milliseconds: at(0.99) }
}
