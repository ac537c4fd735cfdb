import { createLogger, type Logger } from '../../shared/runtime/log/logger.ts'

/** A logger that writes nothing. */
export const quietLogger = (): Logger => createLogger({ name: 'test', level: 'silent' })
