import { businessesView } from '../../services/businesses/business/kind.ts'
import type { Position } from '../../shared/event-sourcing/event.ts'
import { createLogger, type Logger } from '../../shared/runtime/log/logger.ts'
import { endOnSignal } from '../../shared/runtime/process/lifecycle.ts'
import { progressLogger } from '../../shared/runtime/process/readiness.ts'
import { surroundingsOf } from '../../shared/runtime/process/run-process.ts'
import { explainFailure } from '../../shared/runtime/process/start-failure.ts'
import { printable } from '../output/write.ts'
import type { Environment } from '../target/config.ts'
import { announcement } from './announcement.ts'
import { type EmbeddedConfig, readEmbeddedConfig } from './config.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { checkPorts, checkPortsAreFree } from './ports.ts'
import { checkPath, inFolder, whyUnsafe } from './usable-folder.ts'

/**
 * `npm start`: starts everything, prints how to use it, and runs until a signal; exits with 1 if it can't start.
 * `demo`: first fills an empty folder with a made-up firm.
 */
export async function start(environment: Environment, demo: boolean): Promise<void> {
  // When the reader of the output is gone (`npm start | head`), the service must keep running.
  process.stdout.on('error', () => {})
  // Only its own user may read Mint's data: the folder, the databases, and the files that SQLite adds to them.
  process.umask(0o077)
  const ends = new AsyncDisposableStack()
  try {
    const config = readEmbeddedConfig(environment)
    checkPorts(config)
    checkPath(config.dataFolder)
    await inFolder(config.dataFolder, () => startWith(config, demo, ends))
  } catch (error) {
    for (const line of explainFailure(error)) console.error(printable(`Mint can't start: ${line}`))
    await ends.disposeAsync().catch(() => undefined)
    process.exit(1)
  }
}

async function startWith(config: EmbeddedConfig, demo: boolean, ends: AsyncDisposableStack): Promise<void> {
  const { dataFolder } = config
  const { logLevel, drainMilliseconds } = config.gateway
  const logger = createLogger({ name: 'mint', level: logLevel })
  const surroundings = await surroundingsOf('mint', config.gateway, logger, ends)
  // Loads half of the code while the databases open, which saves a tenth of a second.
  const loading = import('./stack.ts')
  const report = progressLogger(logger)
  const onProgress = (view: string, position: Position) => report(position, view)
  const check = () => checkPortsAreFree(config)
  const data = await openDataFolder(dataFolder, { metrics: surroundings.metrics, onProgress, check })
  ends.defer(() => data.close())
  const unsafe = whyUnsafe(dataFolder)
  if (unsafe !== undefined) logger.warn(unsafe)
  if (demo) await (await import('./demo/fill.ts')).fillWithDemo(dataFolder, data, logger)
  const { startStack } = await loading
  const stack = await startStack(config, data, surroundings)
  // On a terminal, Ctrl-C is acknowledged in words, elsewhere by a line in the log.
  const say = process.stdout.isTTY && process.stderr.isTTY ? console.log : undefined
  const stop = async (): Promise<void> => {
    await ends.disposeAsync()
    say?.('Stopped.')
  }
  exitWithoutLock(data, logger)
  endOnSignal({ stop, logger, drainMilliseconds, onStopping: say && (() => say('\nStopping…')) })
  // The Client of the newest business, for the request to paste.
  const newest = { where: {}, search: '', limit: 1, offset: 0, withoutTotal: true }
  const { rows } = await data.businesses.view(businessesView).list(newest)
  process.stdout.write(announcement(stack, config, rows[0]?.state.clientId))
}

/** How often the folder's lock is checked, in milliseconds. Each write checks that no other process opened its file. */
const LOCK_INTERVAL = 500

/** Without its lock Mint can't write any more, and what it reads may soon be another process's: it exits at once. */
function exitWithoutLock({ lock }: DataFolder, logger: Logger): void {
  setInterval(() => {
    try {
      lock.check()
    } catch (error) {
      logger.fatal({ err: error }, 'the lock of the data folder is gone, so another Mint could write there: exiting')
      process.exit(1)
    }
  }, LOCK_INTERVAL).unref()
}
