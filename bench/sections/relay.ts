import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { waitFor } from '../../tests/support/wait-for.ts'
import { median } from '../measure/rounds.ts'
import { type BenchMint, startSeparate } from '../mint.ts'
import type { SectionResult } from '../result.ts'
import { type Bench, enginesOf } from '../section.ts'

const BUSINESSES = 10_000
const CALLERS = 64
/** At low load: one business at a time, so far apart. */
const SINGLES = 40
const APART_MILLISECONDS = 50

/** From businesses created to Clients listed: businesses service, relay, Kafka, contracts service. */
export async function measureRelay(bench: Bench): Promise<SectionResult> {
  const mint = bench.onEnd(await startSeparate(enginesOf(bench)))
  await createAndWait(mint, 'warm-up')
  const delays: number[] = []
  for (let count = 0; count < SINGLES; count++) {
    delays.push(await createAndWait(mint, `single ${count}`))
    await pause(APART_MILLISECONDS)
  }
  const perSecond = await throughput(mint, SINGLES + 1)
  const p99 = delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? Number.NaN
  return {
    title: 'Businesses to Client records through Kafka, everything on this machine',
    rows: [
      { what: 'businesses created and listed as Clients', value: perSecond, unit: 'businesses/s' },
      {
        what: 'from POST answered to Client listed, at low load',
        value: median(delays),
        unit: 'ms',
        p99Milliseconds: p99,
      },
    ],
    checks: [
      { what: 'businesses created and listed as Clients', value: perSecond, unit: 'businesses/s', atLeast: 3_000 },
      { what: 'p99 from POST answered to Client listed, at low load', value: p99, unit: 'ms', atMost: 100 },
    ],
    notes: ['The rate counts from the first POST to the last Client, creating them over REST included.'],
  }
}

/** Milliseconds from the answer to the moment that the list of Clients has it. */
async function createAndWait({ call }: BenchMint, name: string): Promise<number> {
  const legalName = `${name} ${randomUUID()}`
  const { status, text } = await call('POST', '/businesses', { legalName })
  if (status !== 201) throw new Error(`creating a business answered ${status}: ${text}`)
  const answered = performance.now()
  const path = `/clients?search=${encodeURIComponent(legalName)}`
  await waitFor(async () => (await call('GET', path)).body.total === 1, { timeout: 30_000, every: 1, what: 'a Client' })
  return performance.now() - answered
}

async function throughput({ call }: BenchMint, before: number): Promise<number> {
  const begun = performance.now()
  let left = BUSINESSES
  const createSome = async (): Promise<void> => {
    while (left-- > 0) {
      const { status } = await call('POST', '/businesses', { legalName: `Firm ${left}` })
      if (status !== 201) throw new Error(`creating a business answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, createSome))
  await waitFor(async () => (await call('GET', '/clients?limit=1')).body.total === before + BUSINESSES, {
    timeout: 60_000,
    every: 20,
    what: 'all Clients',
  })
  return BUSINESSES / ((performance.now() - begun) / 1000)
}
