import { tmpdir } from 'node:os'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import type { Rest } from '../../tests/support/rest.ts'
import { separateMint } from '../../tests/support/separate-processes.ts'
import { callerOf } from '../caller.ts'
import { fillWithContracts } from '../fill.ts'
import { processorMilliseconds } from '../measure/processes.ts'
import { median } from '../measure/rounds.ts'
import { BENCH_KEY } from '../mint.ts'
import type { SectionResult } from '../result.ts'
import { type Bench, enginesOf } from '../section.ts'

const EVENTS = 100_000
const ROUNDS = 3
/** Nothing listens there, so that the log is not published meanwhile. */
const NO_KAFKA = { KAFKA_BROKERS: '127.0.0.1:1' }

/** The whole feed, read by one follower through gateway, gRPC and MongoDB as separate processes. */
export async function measureFeed(bench: Bench): Promise<SectionResult> {
  const { mongoUrl: url, brokers } = enginesOf(bench)
  const mint = await separateMint(url, brokers)
  bench.onEnd({ stop: () => mint.remove() })
  const database = await openMongoDatabase({
    url,
    name: `${mint.namespace}_contracts`,
    views: [],
    viewsFolder: tmpdir(),
  })
  await fillWithContracts(database, EVENTS).finally(() => database.close())
  const services = [mint.start('contracts', NO_KAFKA), mint.start('businesses', NO_KAFKA)]
  const gateway = mint.start('gateway', { MINT_API_KEY: BENCH_KEY })
  const call = callerOf({ url: `http://${await gateway.ready()}`, key: BENCH_KEY })
  await Promise.all(services.map((service) => service.ready()))
  await readAll(call)
  const pids = [...services, gateway].map(({ pid }) => pid)
  const [before, rates]: [number, number[]] = [processorMilliseconds(pids), []]
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now()
    await readAll(call)
    rates.push(EVENTS / ((performance.now() - begun) / 1_000))
  }
  const processorMicroseconds = ((processorMilliseconds(pids) - before) / (ROUNDS * EVENTS)) * 1_000
  const rate = { what: 'events read by one follower, 1,000 a page', value: median(rates), unit: 'events/s' }
  return {
    title: `Feed of ${EVENTS.toLocaleString('en')} contracts through gateway, gRPC and MongoDB, separate processes`,
    rows: [{ ...rate, spread: [Math.min(...rates), Math.max(...rates)], processorMicroseconds }],
    // A million in a minute.
    checks: [{ ...rate, atLeast: 1_000_000 / 60 }],
  }
}

async function readAll(call: Rest): Promise<void> {
  let [count, next, more] = [0, '', true]
  while (more) {
    const { body } = await call('GET', `/events?limit=1000${next && `&after=${next}`}`)
    count += body.events.length
    ;({ next, more } = body)
  }
  if (count !== EVENTS) throw new Error(`the feed had ${count} events`)
}
