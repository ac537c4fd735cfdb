import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import type { Rest } from '../../tests/support/rest.ts'
import { type SeparateMint, separateMint } from '../../tests/support/separate-processes.ts'
import { waitFor } from '../../tests/support/wait-for.ts'
import { callerOf } from '../caller.ts'
import { fillWithBusinesses } from '../fill.ts'
import { processorMilliseconds } from '../measure/processes.ts'
import { median } from '../measure/rounds.ts'
import { BENCH_KEY } from '../mint.ts'
import type { SectionResult } from '../result.ts'
import { type Bench, enginesOf } from '../section.ts'

/** Relayed before the measurement, so that the code is compiled. */
const WARM_UP = 5_000
const BUSINESSES = 25_000
/** At low load: one business at a time, this far apart; the first are not measured, right after the backlog. */
const UNMEASURED_SINGLES = 30
const SINGLES = 200
const APART_MILLISECONDS = 20

/** From the log of businesses to Clients listed: businesses service, relay, Kafka, contracts service. */
export async function measureRelay(bench: Bench): Promise<SectionResult> {
  const { mongoUrl, brokers } = enginesOf(bench)
  const mint = await separateMint(mongoUrl, brokers)
  bench.onEnd({ stop: () => mint.remove() })
  await fill(mongoUrl, mint)
  const { perSecond, processor, call } = await relayAll(mint)
  const delays: number[] = []
  for (let count = -UNMEASURED_SINGLES; count < SINGLES; count++) {
    const delay = await createAndWait(call, `single ${count}`)
    if (count >= 0) delays.push(delay)
    await pause(APART_MILLISECONDS)
  }
  const p99 = delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? Number.NaN
  const rate = 'businesses through relay and Kafka into Client records'
  const delay = 'from POST answered to Client listed, at low load'
  return {
    title: 'Businesses to Client records through Kafka, everything on this machine',
    rows: [
      { what: rate, value: perSecond, unit: 'businesses/s', processorMicroseconds: processor },
      { what: delay, value: median(delays), unit: 'ms', p99Milliseconds: p99 },
    ],
    checks: [
      { what: rate, value: perSecond, unit: 'businesses/s', atLeast: 3_000 },
      { what: `p99 ${delay}`, value: p99, unit: 'ms', atMost: 100 },
    ],
    notes: [`The rate is for a backlog of ${BUSINESSES} businesses; the processor time is that of both services.`],
  }
}

/** Businesses in the log, as the service writes them, before any relay runs. */
async function fill(url: string, { namespace }: SeparateMint): Promise<void> {
  const database = await openMongoDatabase({
    url,
    name: `${namespace}_businesses`,
    views: [],
    viewsFolder: tmpdir(),
  })
  try {
    await fillWithBusinesses(database, WARM_UP + BUSINESSES)
  } finally {
    await database.close()
  }
}

async function relayAll(mint: SeparateMint): Promise<{ perSecond: number; processor: number; call: Rest }> {
  const services = [mint.start('contracts'), mint.start('businesses')]
  const pids = services.map(({ pid }) => pid)
  const gateway = mint.start('gateway', { MINT_API_KEY: BENCH_KEY })
  const call = callerOf({ url: `http://${await gateway.ready()}`, key: BENCH_KEY })
  const clients = async (): Promise<number> => (await call('GET', '/clients?limit=1')).body.total ?? 0
  const reach = async (count: number): Promise<number> =>
    await waitFor(async () => await clients().then((now) => (now >= count ? now : 0)), {
      timeout: 120_000,
      every: 20,
      what: `${count} Clients`,
    })
  const from = await reach(WARM_UP)
  const begun = { at: performance.now(), processor: processorMilliseconds(pids) }
  const measured = (await reach(WARM_UP + BUSINESSES)) - from
  return {
    perSecond: measured / ((performance.now() - begun.at) / 1_000),
    processor: ((processorMilliseconds(pids) - begun.processor) / measured) * 1_000,
    call,
  }
}

/** Milliseconds from the answer until the list of Clients has the business. */
async function createAndWait(call: Rest, name: string): Promise<number> {
  const legalName = `${name} ${randomUUID()}`
  const { status, text } = await call('POST', '/businesses', { legalName })
  if (status !== 201) throw new Error(`creating a business answered ${status}: ${text}`)
  const answered = performance.now()
  const path = `/clients?search=${encodeURIComponent(legalName)}`
  await waitFor(async () => (await call('GET', path)).body.total === 1, { timeout: 30_000, every: 1, what: 'a Client' })
  return performance.now() - answered
}
