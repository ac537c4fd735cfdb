import { setFlagsFromString } from 'node:v8'
import { createBudget, type MemoryBudget } from '../../budget/budget.ts'
import { inUrl } from '../http/in-url.ts'
import { createLogger, type Logger } from '../log/logger.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { budgetMetrics, logMetrics, watchStalledLoops } from '../metrics/process-metrics.ts'
import { startMetricsServer } from '../metrics/server.ts'
import type { TracingConfig } from '../settings/tracing.ts'
import { endOnSignal, switchLogLevelOnSignal } from './lifecycle.ts'
import { explainFailure } from './start-failure.ts'

/** The configuration common to all processes. */
export interface ProcessConfig {
  readonly logLevel: string
  readonly host: string
  readonly metricsPort: number
  /** Names with a dot under which metrics may be requested. */
  readonly metricsHosts: readonly string[]
  /** How long it keeps serving after the signal to stop; by default it stops immediately. */
  readonly drainMilliseconds?: number
  /** undefined: nothing is traced. */
  readonly tracing: TracingConfig | undefined
}

/** What every process gets when it starts. */
export interface ProcessSurroundings {
  readonly logger: Logger
  readonly metrics: Metrics
  /** How much memory callers can make this process hold, over all ports. */
  readonly budget: MemoryBudget
  /** Registers a function to call at the end of the process, newest first, even if the start fails half-way. */
  readonly atEnd: (end: () => Promise<void> | void) => void
}

/** A part of Mint that runs in its own process. */
export interface ProcessDefinition<Config extends ProcessConfig> {
  /** Its name in the log. */
  readonly name: string
  /** The setting for the port that it listens on. */
  readonly portSetting: string
  /** The log line after the start; `ready`, unless readiness is reported elsewhere. */
  readonly whenStarted?: string
  /** Throws SettingsError. */
  readConfig(environment: Readonly<Record<string, string | undefined>>): Config
  /** Starts it and returns the address that it listens on. */
  start(config: Config, surroundings: ProcessSurroundings): Promise<{ readonly address: string }>
}

/** Runs a process until a signal ends it; exits with 1 and one line per reason when it can't start. */
export async function runProcess<Config extends ProcessConfig>(
  definition: ProcessDefinition<Config>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const ends = new AsyncDisposableStack()
  try {
    const config = definition.readConfig(environment)
    const { drainMilliseconds } = config
    const logger = createLogger({ name: definition.name, level: config.logLevel })
    endOnSignal({ stop: () => ends.disposeAsync(), logger, drainMilliseconds })
    const surroundings = await surroundingsOf(definition.name, config, logger, ends)
    const metrics = await serveMetrics(config, surroundings)
    const { address } = await definition.start(config, surroundings)
    logger.info({ metrics, address }, definition.whenStarted ?? 'ready')
  } catch (error) {
    for (const line of explainFailure(error, definition.portSetting))
      console.error(`The ${definition.name} process can't start: ${line}`)
    await ends.disposeAsync().catch(() => {})
    process.exit(1)
  }
}

/** Creates what a process gets when it starts. What it registers to end is added to `ends`. */
export async function surroundingsOf(
  name: string,
  { tracing }: Pick<ProcessConfig, 'tracing'>,
  logger: Logger,
  ends: AsyncDisposableStack,
): Promise<ProcessSurroundings> {
  const atEnd = (end: () => Promise<void> | void): void => {
    // After a signal during the start, the process exits without waiting for what is opened later.
    if (!ends.disposed) ends.defer(end)
  }
  // While V8's heap is small, it would conclude that the objects of requests live long, and then allocate them where only
  // a full collection frees them, together with everything that they refer to.
  setFlagsFromString('--no-allocation-site-pretenuring')
  switchLogLevelOnSignal(logger)
  if (tracing) atEnd((await import('../tracing/sdk.ts')).startTracing(tracing, name, logger))
  const metrics = createMetrics(logger)
  const budget = createBudget()
  budgetMetrics(metrics, budget)
  logMetrics(metrics)
  watchStalledLoops(metrics, logger)
  return { logger, metrics, budget, atEnd }
}

/** Serves a process's metrics until it ends. Returns their address. */
export async function serveMetrics(
  { host, metricsPort: port, metricsHosts: allowedHosts }: ProcessConfig,
  { metrics, budget, logger, atEnd }: ProcessSurroundings,
): Promise<string> {
  const server = await startMetricsServer({ metrics, host, port, allowedHosts, budget, logger })
  atEnd(() => server.stop())
  return `http://${inUrl(host)}:${server.port}/metrics`
}
