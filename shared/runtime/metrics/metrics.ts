import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Logger } from '../log/logger.ts'
import { version } from '../version.ts'
import { createReadings } from './readings.ts'

/** The metrics of one process: made by its main file and handed to those who have something to tell. */
export type Metrics = ReturnType<typeof createMetrics>

export interface MetricOptions<Label extends string> {
  /** `mint_…`, with its unit at the end, by https://prometheus.io/docs/practices/naming/ */
  readonly name: `mint_${string}`
  readonly help: string
  readonly labels: readonly Label[]
}

interface Figure<Label extends string> extends Omit<MetricOptions<Label>, 'labels'> {
  readonly labels: Readonly<Record<Label, string>>
}

interface HistogramOptions<Label extends string> extends MetricOptions<Label> {
  /** Upper bounds, ascending; by default those of latencies. */
  readonly buckets?: readonly number[]
}

/** In seconds: from reads out of memory to a caller's deadline. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Between two looks at the event loop's delay, in milliseconds: each wakes an idle process up. */
const LOOP_PRECISION = 20

/**
 * No metrics yet but which build runs. One asked for before is answered again. Those of the process begin with the
 * first reading: measuring the event loop wakes an idle process up.
 */
export function createMetrics(logger: Logger) {
  const registry = new Registry()
  const readings = createReadings(logger)
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
    /** A gauge of one figure that is looked up when metrics are read. */
    figure<Label extends string>({ name, help, labels }: Figure<Label>, look: () => Promise<number>) {
      const options = { name, help, labels: Object.keys(labels) as (keyof typeof labels)[] }
      const gauge = known(options, () => new Gauge(forRegistry(options, registry)))
      const read = async () => gauge.set(labels, await look())
      readings.add({ what: `${name} ${Object.values(labels)}`, read, forget: () => gauge.remove(labels) })
    },
    /** All of them as Prometheus reads them. */
    async read() {
      if (!isMeasuringProcess)
        collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION })
      isMeasuringProcess = true
      await readings.carryOut()
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
