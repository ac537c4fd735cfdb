import type { Logger } from './logger.ts'

/** SIGUSR2 switches the running log to `debug` (from `debug`: to `info`) and back, and says so in a line. */
export function switchLogLevelOnSignal(logger: Logger): void {
  const configured = logger.level
  const other = configured === 'debug' ? 'info' : 'debug'
  process.on('SIGUSR2', (signal) => {
    const level = logger.level === configured ? other : configured
    // Said at the more talkative of the two, or the line itself would be left out.
    if (level === 'debug') logger.level = level
    logger.info({ signal, to: level }, 'the level of the log was switched')
    logger.level = level
  })
}
