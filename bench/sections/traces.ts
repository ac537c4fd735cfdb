import { startServer } from '../measure/processes.ts'
import type { Measured } from '../measure/rounds.ts'
import { createContract, getLoad, startEmbedded } from '../mint.ts'
import type { Check, SectionResult } from '../result.ts'
import { type Bench, compared } from '../section.ts'

const SAMPLED = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

/** What tracing costs: rounds in which the caller samples all requests to a Mint alternate with rounds without any. */
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
      'Both are the same process, as two processes of one build differ by more than it costs to trace 1 % of the requests. That cost is a hundredth of what it costs to trace all of them.',
    ],
  })
}

/** In percent of an untraced GET. Tracing 1 % of the requests costs a hundredth of what tracing all of them does. */
function costOfOnePercent([untraced, traced]: readonly Measured[]): Check {
  const ratio = (traced?.processorMicroseconds ?? Number.NaN) / (untraced?.processorMicroseconds ?? Number.NaN)
  return { what: 'processor time that sampling 1 % adds to a GET', value: ratio - 1, unit: '%', atMost: 3 }
}
