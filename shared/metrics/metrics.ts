import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Logger } from '../logger.ts'
import { version } from '../version.ts'
import { createReadings, type Reading } from './readings.ts'

/** The metrics of one process: made by its main file and handed to those who have something to tell. */
export interface Metrics {
  histogram<Label extends string>(options: HistogramOptions<Label>): Histogram<Label>
  counter<Label extends string>(options: MetricOptions<Label>): Counter<Label>
  gauge<Label extends string>(options: MetricOptions<Label>): Gauge<Label>
  /** Carried out before metrics are read; for what is not counted as it happens, but looked up. */
  atReading(reading: Reading): void
  /** A gauge of one figure that is looked up when metrics are read. */
  figure<Label extends string>(options: Figure<Label>, look: () => Promise<number>): void
  /** All of them as Prometheus reads them. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>
}

export interface MetricOptions<Label extends string> {
  /** `mint_…`, with its unit at the end, by https://prometheus.io/docs/practices/naming/ */
  readonly name: `mint_${string}`
  readonly help: string
  readonly labels: readonly Label[]
}

interface Figure<Label extends string> extends Omit<MetricOptions<Label>, 'labels'> {
  readonly labels: Readonly<Record<Label, string>>
}

export interface HistogramOptions<Label extends string> extends MetricOptions<Label> {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}

/** In seconds: from reads out of memory to a caller's deadline. */
export const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Between two looks at the event loop's delay, in milliseconds: each wakes an idle process up. */
const LOOP_PRECISION = 20

/**
 * No metrics yet but which build runs. One that was asked for before is answered again. Those of Node and of the process
 * itself are there from the first reading on: measuring the event loop wakes an idle process up, so it begins when somebody reads.
 */
export function createMetrics(logger: Logger): Metrics {
  const registry = new Registry()
  const readings = createReadings(logger)
  let isMeasuringProcess = false

  function known<Metric>({ name }: { readonly name: string }, make: () => Metric): Metric {
    return (registry.getSingleMetric(name) as Metric | undefined) ?? make()
  }

  const metrics: Metrics = {
    histogram: (options) =>
      known(options, () => new Histogram({ ...forRegistry(options, registry), buckets: [...options.buckets] })),
    counter: (options) => known(options, () => new Counter(forRegistry(options, registry))),
    gauge: (options) => known(options, () => new Gauge(forRegistry(options, registry))),
    atReading: readings.add,
    figure({ name, help, labels }, look) {
      const gauge = metrics.gauge({ name, help, labels: Object.keys(labels) as (keyof typeof labels)[] })
      const read = async () => gauge.set(labels, await look())
      readings.add({ what: `${name} ${Object.values(labels)}`, read, forget: () => gauge.remove(labels) })
    },
    async read() {
      if (!isMeasuringProcess)
        collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION })
      isMeasuringProcess = true
      await readings.carryOut()
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
  describeBuild(metrics)
  return metrics
}

function describeBuild(metrics: Metrics): void {
  const build = metrics.gauge({
    name: 'mint_build_info',
    help: 'Always 1: which version of Mint this process is, and which version of Node it runs on.',
    labels: ['version', 'node'],
  })
  build.set({ version, node: process.versions.node }, 1)
}

function forRegistry<Label extends string>({ name, help, labels }: MetricOptions<Label>, registry: Registry) {
  return { name, help, labelNames: [...labels], registers: [registry] }
}
