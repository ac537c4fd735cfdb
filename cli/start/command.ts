import { businessesView } from '../../services/businesses/business/view.ts'
import { checkInPlace } from '../../shared/adapters/sqlite/file-in-place.ts'
import { createLogger, type Logger } from '../../shared/logger.ts'
import { createMetrics } from '../../shared/metrics/metrics.ts'
import { endOnSignal } from '../../shared/process/lifecycle.ts'
import { switchLogLevelOnSignal } from '../../shared/process/log-level-signal.ts'
import { explainFailure } from '../../shared/process/start-failure.ts'
import { viewsOf } from '../admin/parts.ts'
import { printable } from '../output/printable.ts'
import { announcement } from './announcement.ts'
import { type EmbeddedConfig, readEmbeddedConfig } from './config.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { settleUnfinishedDemo } from './demo/unfinished.ts'
import { explainEmbeddedFailure } from './failure.ts'
import { checkPorts, checkPortsAreFree } from './ports.ts'
import { checkPath } from './usable-folder.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface StartOptions {
  /** Fills an empty folder with a made-up firm first. */
  readonly demo: boolean
}

/** `npm start`: starts everything, says so, and runs until a signal; exits with 1 when it can't start. */
export async function start(environment: Environment, options: StartOptions): Promise<void> {
  // A reader of the output that goes away (`npm start | head`) must not end the service.
  process.stdout.on('error', () => {})
  // What Mint keeps is for its own user alone: the folder, the databases with all that SQLite puts beside them.
  process.umask(0o077)
  let explain: (error: unknown) => readonly string[] = explainFailure
  try {
    const config = readEmbeddedConfig(environment)
    explain = (error) => explainEmbeddedFailure(error, config)
    checkPorts(config)
    checkPath(config.dataFolder)
    await startWith(config, options)
  } catch (error) {
    for (const line of explain(error)) console.error(printable(`Mint can't start: ${line}`))
    process.exit(1)
  }
}

async function startWith(config: EmbeddedConfig, { demo }: StartOptions): Promise<void> {
  const { dataFolder } = config
  const logger = createLogger({ name: 'mint', level: config.gateway.logLevel })
  switchLogLevelOnSignal(logger)
  // Half of the code is loaded while the databases open: that is a tenth of a second.
  const loading = import('./stack.ts')
  const metrics = createMetrics(logger)
  const data = await openDataFolder(dataFolder, viewsOf, () => settleUnfinishedDemo(dataFolder, { demo }), metrics)
  const stack = await closingOnFailure(data, async () => {
    await checkPortsAreFree(config)
    if (demo) await fillWithDemo(dataFolder, data, logger)
    const { startStack } = await loading
    return await startStack(config, data, { logger, metrics })
  })
  // Whoever pressed Ctrl-C reads words; a log that is kept gets its line.
  const say = process.stdout.isTTY && process.stderr.isTTY ? console.log : undefined
  const stop = async (): Promise<void> => {
    await stack.stop()
    await data.close()
    say?.('Stopped.')
  }
  endWithoutLock(data, logger)
  const { drainMilliseconds } = config.gateway
  endOnSignal({ stop, logger, drainMilliseconds, onStopping: say && (() => say('\nStopping…')) })
  process.stdout.write(announcement(stack, config, await clientThere(data)))
}

/** Between two looks at the folder's lock, in milliseconds. Each write checks that no other process opened its file. */
const LOCK_INTERVAL = 500

/** Without its lock Mint writes nothing any more, and what it reads may soon be another one's: it ends at once. */
function endWithoutLock({ lock }: DataFolder, logger: Logger): void {
  setInterval(() => {
    try {
      checkInPlace(lock.place)
    } catch (error) {
      logger.fatal({ err: error }, 'the lock of the data folder is gone, another Mint could write there: ending')
      process.exit(1)
    }
  }, LOCK_INTERVAL).unref()
}

async function fillWithDemo(...args: Parameters<typeof import('./demo/fill.ts')['fillWithDemo']>): Promise<void> {
  const demo = await import('./demo/fill.ts')
  await demo.fillWithDemo(...args)
}

/** The clientId of the newest business, undefined when there is none: for a request that can be pasted. */
async function clientThere({ businesses }: DataFolder): Promise<string | undefined> {
  const newest = { where: {}, search: '', limit: 1, offset: 0, withoutTotal: true }
  const { rows } = await businesses.view(businessesView).list(newest)
  return rows[0]?.state.clientId
}

async function closingOnFailure<T>(data: DataFolder, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    await data.close()
    throw error
  }
}
