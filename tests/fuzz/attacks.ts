import { setTimeout as pause } from 'node:timers/promises'
import type { AttackedMint, FilledMints } from '../hostile/attacked-mint.ts'
import { POLITE_REQUESTS, type PoliteCaller, type PoliteRequest, startPoliteCaller } from '../hostile/polite-caller.ts'
import { beginTraffic } from '../hostile/traffic.ts'
import { MAX_MEGABYTES } from '../hostile/withstand.ts'
import { waitFor } from '../support/wait-for.ts'
import { seededRandom } from '../torture/random.ts'
import { drawTraffic } from './drawn-traffic.ts'

export interface AttacksOptions {
  readonly seed: number
  readonly milliseconds: number
  /** The number of the first attack, to start at one that failed before. */
  readonly first?: number
  readonly mints: FilledMints
}

export interface AttacksResult {
  /** Sentences, each starting with its attack's number; empty if all is well. */
  readonly findings: readonly string[]
  readonly attacks: number
  /** Peak memory of each process, in megabytes (10^6 bytes). */
  readonly peaks: Readonly<Record<string, number>>
  /** How many requests of a polite caller were answered, and in how many milliseconds. */
  readonly polite: Readonly<Record<PoliteRequest, Times>>
}

export interface Times {
  readonly answered: number
  readonly median: number
  readonly p99: number
  readonly slowest: number
}

/** Duration of an attack, in milliseconds. */
const [SHORTEST, LONGEST] = [1_500, 5_000]

/**
 * Attacks a Mint in one way after another, each drawn from the seed and its number, while a polite caller with another
 * key keeps calling. A Mint that has died or used too much memory is replaced by a new one with the same records.
 */
export async function attackInMemory(options: AttacksOptions): Promise<AttacksResult> {
  const { seed, milliseconds, first = 0, mints } = options
  const end = Date.now() + milliseconds
  const findings: string[] = []
  const peaks: Record<string, number> = {}
  const times: PoliteCaller['times'][] = []
  let number = first

  async function attackUntilFound(mint: AttackedMint, polite: PoliteCaller): Promise<void> {
    for (let found = 0; found === 0 && Date.now() < end; number++) {
      const random = seededRandom(seed + number)
      const { what, traffic } = await drawTraffic(random, mint.target)
      const duration = Math.min(random.between(SHORTEST, LONGEST), Math.max(0, end - Date.now()))
      const failuresBefore = polite.failures.length
      mint.dropFileCache()
      const running = await beginTraffic(traffic)
      await Promise.race([pause(duration), mint.death])
      await running.stop()
      const wrong = await wrongWith(mint, polite.failures.slice(failuresBefore))
      findings.push(...wrong.map((sentence) => `attack ${number}: ${sentence}, under ${what}`))
      found = wrong.length
    }
  }

  while (Date.now() < end) {
    const mint = await mints.start()
    const polite = startPoliteCaller(mint)
    try {
      await polite.rounds(1)
      await attackUntilFound(mint, polite)
    } finally {
      await polite.stop()
      times.push(polite.times)
      for (const [name, peak] of Object.entries(mint.peaks())) peaks[name] = Math.max(peaks[name] ?? 0, peak)
      await mint.remove()
    }
  }
  const summaries = POLITE_REQUESTS.map((what) => [what, summaryOf(times.flatMap((some) => some[what]))])
  return { findings, attacks: number - first, peaks, polite: Object.fromEntries(summaries) }
}

/** The damage of an attack. If a process has died, everything else follows from that. */
async function wrongWith(mint: AttackedMint, failures: readonly string[]): Promise<readonly string[]> {
  const deaths = mint.deaths()
  if (deaths.length > 0) return deaths
  const tooMuch = Object.entries(mint.peaks())
    .filter(([, peak]) => peak > MAX_MEGABYTES)
    .map(([name, peak]) => `${name} used ${Math.round(peak)} MB`)
  const isReady = async () => (await mint.call('GET', '/readyz')).status === 200
  const unready = await waitFor(isReady, { timeout: 30_000, what: 'Mint to be ready' }).then(
    () => [],
    (error: Error) => [error.message],
  )
  return [...tooMuch, ...failures, ...unready]
}

function summaryOf(times: readonly number[]): Times {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN)
  return { answered: times.length, median: at(0.5), p99: at(0.99), slowest: at(1) }
}
