interface LogLine {
  readonly level: number
  readonly msg: string
  readonly [field: string]: unknown
}

/** The complete lines of a log, each of which must be JSON. */
export function logLines(log: string): LogLine[] {
  const lines = log.split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line))
}

/** The levels that a log was switched to. */
export const logSwitches = (log: string) =>
  logLines(log)
    .filter(({ msg }) => msg === 'the log level was switched')
    .map(({ to }) => to)
