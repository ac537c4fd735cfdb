import type { Logger } from './logger.ts'

/** SIGUSR2 switches the log level to `debug` (from `debug`: to `info`) and back, and logs the switch. */
export function switchLogLevelOnSignal(logger: Logger): void {
  const configured = logger.level
  const other = configured === 'debug' ? 'info' : 'debug'
  process.on('SIGUSR2', (signal) => {
    const level = logger.level === configured ? other : configured
    // Logged at the more verbose of the two levels, or the line itself would be suppressed.
    if (level === 'debug') logger.level = level
    logger.info({ signal, to: level }, 'the log level was switched')
    logger.level = level
  })
}
