import { switchLogLevelOnSignal } from '../log/log-level-signal.ts'
import { createLogger, type Logger } from '../log/logger.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { startMetricsServer } from '../metrics/server.ts'
import { endOnSignal } from './lifecycle.ts'
import { explainFailure } from './start-failure.ts'

/** What every process is configured with. */
interface ProcessConfig {
  readonly logLevel: string
  readonly host: string
  readonly metricsPort: number
  /** Names with a dot by which metrics may be asked. */
  readonly metricsHosts: readonly string[]
  /** For how long it goes on serving after it was told to end; not at all when left out. */
  readonly drainMilliseconds?: number
}

/** What every process is started with. */
export interface ProcessSurroundings {
  readonly logger: Logger
  readonly metrics: Metrics
  /** Takes what is called at the end of the process, newest first, also when the start failed half-way. */
  readonly atEnd: (end: () => Promise<void> | void) => void
}

/** A part of Mint that runs in a process of its own. */
export interface ProcessDefinition<Config extends ProcessConfig> {
  /** In the log. */
  readonly name: string
  /** The setting of the port that it listens on. */
  readonly portSetting: string
  /** What the log says once it is started: `ready`, unless others tell whether it is. */
  readonly whenStarted?: string
  /** Throws SettingsError. */
  readConfig(environment: Readonly<Record<string, string | undefined>>): Config
  /** Starts it and answers where it listens. */
  start(config: Config, surroundings: ProcessSurroundings): Promise<{ readonly address: string }>
}

/** Runs a process until a signal ends it; exits with 1 and a line for each reason when it can't start. */
export async function runProcess<Config extends ProcessConfig>(
  definition: ProcessDefinition<Config>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const ends = new AsyncDisposableStack()
  const atEnd = (end: () => Promise<void> | void): void => {
    // A signal may come while it still starts: the process then ends without what came after.
    if (!ends.disposed) ends.defer(end)
  }
  try {
    const config = definition.readConfig(environment)
    const logger = createLogger({ name: definition.name, level: config.logLevel })
    const { drainMilliseconds } = config
    endOnSignal({ stop: () => ends.disposeAsync(), logger, drainMilliseconds })
    switchLogLevelOnSignal(logger)
    const metrics = createMetrics(logger)
    const { host, metricsPort: port, metricsHosts: allowedHosts } = config
    const server = await startMetricsServer({ metrics, host, port, allowedHosts, logger })
    atEnd(() => server.stop())
    const { address } = await definition.start(config, { logger, metrics, atEnd })
    logger.info({ metrics: `http://${config.host}:${server.port}/metrics`, address }, definition.whenStarted ?? 'ready')
  } catch (error) {
    for (const line of explainFailure(error, definition.portSetting))
      console.error(`The ${definition.name} process can't start: ${line}`)
    await ends.disposeAsync().catch(() => {})
    process.exit(1)
  }
}
