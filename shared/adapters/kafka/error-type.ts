/** The brokers' answer where there is no such topic, or one that was just made is not known everywhere. */
export const UNKNOWN_TOPIC = 'UNKNOWN_TOPIC_OR_PARTITION'

/** Whether an error of the driver, or what it wraps, is this answer of the brokers. */
export function hasType(error: unknown, type: string): boolean {
  if (!(error instanceof Error)) return false
  return (error as { type?: string }).type === type || hasType(error.cause, type)
}
