import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import { sharingRuns } from '../../async/shared-runs.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import type { Logger } from '../log/logger.ts'
import { version } from '../this-process.ts'

/** The metrics of one process: created by its main file and passed to whatever it measures. */
export type Metrics = ReturnType<typeof createMetrics>

export interface MetricOptions<Label extends string> {
  /** `mint_…`, with its unit at the end, as in https://prometheus.io/docs/practices/naming/ */
  readonly name: `mint_${string}`
  readonly help: string
  readonly labels: readonly Label[]
}

interface GaugeOptions<Label extends string> extends Omit<MetricOptions<Label>, 'labels'> {
  readonly labels: Readonly<Record<Label, string>>
}

interface HistogramOptions<Label extends string> extends MetricOptions<Label> {
  /** Upper bounds, ascending; suited to latencies by default. */
  readonly buckets?: readonly number[]
}

/** In seconds: from reads from memory up to a caller's deadline. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Intervals at which the event loop is sampled, in milliseconds: each sample wakes an idle process. */
const LOOP_SAMPLES = { eventLoopMonitoringPrecision: 20, eventLoopUtilizationTimeout: 1_000 }

/** How long computing a gauge may take, in milliseconds: an unavailable database must not block the other values. */
const TIMEOUT = 1_000
/** The minimum interval between two queries of the databases, no matter how often metrics are read, in milliseconds. */
const FRESH = 1_000

/**
 * Creates metrics, at first only with the build's version. Requesting an existing metric returns it. Process metrics
 * begin with the first reading, because measuring the event loop wakes an idle process.
 */
export function createMetrics(logger: Logger) {
  const registry = new Registry()
  const readings: (() => Promise<void>)[] = []
  const allRead = sharingRuns(() => Promise.all(readings.map((read) => read())), FRESH)
  let isMeasuringProcess = false

  function known<Metric>({ name }: { readonly name: string }, make: () => Metric): Metric {
    return (registry.getSingleMetric(name) as Metric | undefined) ?? make()
  }

  describeBuild(registry)
  return {
    histogram: <Label extends string>({ buckets = LATENCY_BUCKETS, ...options }: HistogramOptions<Label>) =>
      known(options, () => new Histogram({ ...forRegistry(options, registry), buckets: [...buckets] })),
    counter: <Label extends string>(options: MetricOptions<Label>) =>
      known(options, () => new Counter(forRegistry(options, registry))),
    /** A gauge that is computed whenever metrics are read; it is left out while that fails. */
    gauge<Label extends string>({ name, help, labels }: GaugeOptions<Label>, compute: () => Promise<number>) {
      const options = { name, help, labels: Object.keys(labels) }
      const gauge = known(options, () => new Gauge(forRegistry(options, registry)))
      readings.push(async () => {
        try {
          gauge.set(labels, await withTimeout(TIMEOUT, compute()))
        } catch (err) {
          // An old value must not look like a new one.
          gauge.remove(labels)
          logger.debug({ err, what: `${name} ${Object.values(labels)}` }, 'a metric could not be read')
        }
      })
    },
    /** All metrics in Prometheus' text format. */
    async read() {
      if (!isMeasuringProcess) collectDefaultMetrics({ register: registry, ...LOOP_SAMPLES })
      isMeasuringProcess = true
      await allRead.join()
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

function describeBuild(registry: Registry): void {
  const name = 'mint_build_info'
  const help = 'Always 1: which version of Mint this process is, and which version of Node it runs on.'
  const build = new Gauge({ name, help, labelNames: ['version', 'node'], registers: [registry] })
  build.set({ version, node: process.versions.node }, 1)
}

function forRegistry<Label extends string>({ name, help, labels }: MetricOptions<Label>, registry: Registry) {
  return { name, help, labelNames: [...labels], registers: [registry] }
}
