import { startServer } from '../measure/processes.ts'
import type { Measured } from '../measure/rounds.ts'
import { createContract, getLoad, startEmbedded } from '../mint.ts'
import type { Check, SectionResult } from '../result.ts'
import { type Bench, compared } from '../section.ts'

const SAMPLED = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

/** What tracing costs: the requests of one Mint are in turns all sampled by their caller, and not at all. */
export async function measureTraces(bench: Bench): Promise<SectionResult> {
  const collector = bench.onEnd(await startServer('bench/collector.ts'))
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'parentbased_always_off' }
  const { url, key, pids } = bench.onEnd(await startEmbedded({ environment }))
  const load = getLoad(url, await createContract(url, key), key)
  const traced = { ...load, headers: { ...load.headers, traceparent: SAMPLED } }
  const contestants = [
    { name: 'Mint, nothing sampled', load, pids },
    { name: 'Mint, everything sampled', load: traced, pids },
  ]
  return await compared(bench, contestants, {
    title: 'GET by id, embedded, with traces',
    checks: (measured) => [costOfOnePercent(measured)],
    notes: [
      'Both are the same process: two of one build differ by more than 1 % of the requests cost, so what these cost is a hundredth of what all do.',
    ],
  })
}

/** In percent of an untraced GET: a hundredth of what it costs to trace all. */
function costOfOnePercent([untraced, traced]: readonly Measured[]): Check {
  const ratio = (traced?.processorMicroseconds ?? Number.NaN) / (untraced?.processorMicroseconds ?? Number.NaN)
  return { what: 'processor time that 1 % sampled adds to a GET', value: ratio - 1, unit: '%', atMost: 3 }
}
