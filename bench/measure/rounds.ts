import type { Load, LoadGenerator, LoadResult } from './load.ts'
import { processorMilliseconds } from './processes.ts'

/** One of the servers that are compared. */
export interface Contestant {
  readonly name: string
  readonly load: Load
  /** Its processes. */
  readonly pids: readonly number[]
}

/** Medians over the rounds. */
export interface Measured {
  readonly name: string
  readonly requestsPerSecond: number
  /** The slowest and the fastest round. */
  readonly spread: readonly [number, number]
  readonly p50Milliseconds: number
  readonly p99Milliseconds: number
  /** Processor time of the serving processes per request. */
  readonly processorMicroseconds: number
}

export interface Pace {
  readonly send: LoadGenerator
  readonly seconds: number
}

const ROUNDS = 3
export const CONNECTIONS = 64

type Round = LoadResult & { readonly processorMicroseconds: number }

/** Loads the contestants in turn for three rounds, after a warm-up round. */
export async function inTurns(contestants: readonly Contestant[], { send, seconds }: Pace): Promise<Measured[]> {
  const rounds = contestants.map((): Round[] => [])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, contestant] of contestants.entries()) {
      const before = processorMilliseconds(contestant.pids)
      const result = await send(contestant.load, seconds, CONNECTIONS)
      const used = processorMilliseconds(contestant.pids) - before
      const processorMicroseconds = (used * 1000) / (result.requestsPerSecond * seconds)
      if (round > 0) rounds[index]?.push({ ...result, processorMicroseconds })
    }
  }
  return contestants.map(({ name }, index) => ({ name, ...summary(rounds[index] ?? []) }))
}

function summary(rounds: readonly Round[]): Omit<Measured, 'name'> {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick))
  const rates = rounds.map(({ requestsPerSecond }) => requestsPerSecond)
  return {
    requestsPerSecond: of(({ requestsPerSecond }) => requestsPerSecond),
    spread: [Math.min(...rates), Math.max(...rates)],
    p50Milliseconds: of(({ p50Milliseconds }) => p50Milliseconds),
    p99Milliseconds: of(({ p99Milliseconds }) => p99Milliseconds),
    processorMicroseconds: of(({ processorMicroseconds }) => processorMicroseconds),
  }
}

/** The median; NaN without numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}
